// Loops of string and spools: the zone `venn` of table.js.
