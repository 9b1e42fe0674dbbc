// An answer sheet that is written on: the zone `sheet` of table.js.
