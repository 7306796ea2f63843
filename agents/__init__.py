"""Policies, agents, rollouts and the loops that train them. Import the modules by name; most need torch.

Playing:

* `policy`, `transformers_policy` - prompts in, sampled responses out
* `agent` - observations in, actions out
* `rollout` - episodes in slots, as rows; `rows` - one row a model call
* `demonstrations` - the experts' episodes as rows

Learning, one file for each algorithm, to be read from top to bottom:

* `sft` - supervised fine-tuning
* `grpo` - group-relative policy optimisation

What the algorithms share:

* `advantages`, `filtering`, `losses` - the mathematics
* `optimisation`, `checkpoint`, `logger`, `drawing` - optimiser, exact resuming, logs
* `toy` - a policy to test loops with in seconds; `tiny` - a small vision-language model
"""
