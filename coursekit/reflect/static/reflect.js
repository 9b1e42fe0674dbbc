// One question.

export default inTurn(asking);
