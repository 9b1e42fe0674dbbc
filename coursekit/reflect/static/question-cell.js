// One question.

export default withStyles(inTurn(asking, false));
