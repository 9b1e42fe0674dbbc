// One question.

export default inTurn(asking, false);
