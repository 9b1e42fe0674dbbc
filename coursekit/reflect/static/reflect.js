// One question.

export default { render: asking };
