"""What a selector of policies offers: those that have a name of their own, and those that somebody gave."""

from __future__ import annotations

from acpinspect.grouping import AnyPolicy, Policy, policies
from acpinspect.grouping.applying import name_of
from acpinspect.grouping.registry import found

__all__ = ["PolicyChoices"]


class PolicyChoices:
    """Names for policies, one each: also for those that nobody registered, and for functions.

    Args:
        given: Policies that are offered beside the registered ones.

    Raises:
        ArgumentError: One of them is no policy.

    Example:
        >>> import acpinspect
        >>> mine = acpinspect.get_policy("spec").replace(prompt="closed")
        >>> choices = PolicyChoices(mine, "toad", len)
        >>> choices.names()[:3]
        ['spec (given)', 'len', 'spec']
        >>> choices.policy("spec (given)") is mine, choices.policy("toad"), choices.name(len)
        (True, 'toad', 'len')
    """

    def __init__(self, *given: AnyPolicy) -> None:
        self._given: dict[str, AnyPolicy] = {}
        for policy in given:
            self.add(policy)

    def add(self, policy: AnyPolicy) -> AnyPolicy:
        """Offer a policy as well; gives its name, if it is a registered one, else the policy.

        Raises:
            ArgumentError: It is no policy.
        """
        known = found(policy)
        if isinstance(policy, str):
            return policy
        name = name_of(policy)
        if isinstance(known, Policy) and name in policies().index and found(name) == known:
            return name
        if all(other != known for other in self._given.values()):
            self._given[self._free(name)] = policy
        return policy

    def _free(self, name: str) -> str:
        taken = {*self._given, *map(str, policies().index)}
        tries = [name, f"{name} (given)", *(f"{name} ({number})" for number in range(2, len(taken) + 3))]
        return next(each for each in tries if each not in taken)

    def names(self) -> list[str]:
        """All names, those that were given first."""
        return [*self._given, *map(str, policies().index)]

    def name(self, policy: AnyPolicy) -> str:
        """The name of a policy that is offered."""
        return next((name for name, other in self._given.items() if other == policy), name_of(policy))

    def policy(self, name: str) -> AnyPolicy:
        """The policy of a name.

        Raises:
            ArgumentError: There is none.
        """
        policy = self._given.get(name, name)
        found(policy)
        return policy
