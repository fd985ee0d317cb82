"""Whether transactions on lists are strictly serializable, by Elle's method for list-append.

Each append has a value of its own, so a list that was read says in which order appends to its key were done, and two
lists of one key must begin alike. From that order follow the dependencies between transactions: one wrote after
another (ww), read what it wrote (wr), or read what it then overwrote (rw); and one began after another had ended (rt).
A cycle of them is an anomaly: no order of the transactions explains what was read.
"""

import bisect
import itertools

DONE, FAILED, UNKNOWN = "done", "failed", "unknown"


class Transaction:
    """`appends`: {key: value}. `reads`: {key: list, or the length of a list}, of the state before its appends.
    `outcome`: one of the above; a failed one has done nothing."""

    def __init__(self, call, end, outcome, appends=None, reads=None):
        self.call, self.end, self.outcome = call, end, outcome
        self.appends, self.reads = appends or {}, reads or {}

    def __repr__(self):
        reads = {key: read if isinstance(read, int) else f"{len(read)} up to {read[-1:]}" for key, read in self.reads.items()}
        return f"[{self.call}-{self.end} {self.outcome} reads {reads} appends {self.appends}]"


def orders_of(transactions):
    """({key: the longest list that was read}, problems)"""
    lists, problems = {}, []
    for one in transactions:
        if one.outcome != DONE:
            continue
        for key, read in one.reads.items():
            if isinstance(read, list):
                lists.setdefault(key, []).append(read)
    orders = {key: max(found, key=len) for key, found in lists.items()}
    for key, found in lists.items():
        order = orders[key]
        if len(set(order)) != len(order):
            problems.append(f"{key}: a value is twice in {order}")
        problems += [f"{key}: {read} is not how {order} begins" for read in found if order[: len(read)] != read]
    return orders, problems


def check_writers(transactions, orders):
    """Each value in a list was appended by a transaction that was not refused, with all of its others; each that was
    acknowledged is in its list. The last reads of the history must follow all appends."""
    problems = []
    places = {(key, value) for key, order in orders.items() for value in order}
    for one in transactions:
        there = [(key, value) in places for key, value in one.appends.items()]
        if one.outcome == DONE and not all(there):
            problems.append(f"lost: {one}")
        elif one.outcome == FAILED and any(there):
            problems.append(f"refused, and done: {one}")
        elif any(there) and not all(there):
            problems.append(f"done in part: {one}")
        places -= set(one.appends.items())
    return problems + [f"{key}: nobody appended {value}" for key, value in sorted(places)]


def dependencies(transactions, orders):
    """{index: {index of one that follows: why}}"""
    edges = {}
    writers = {place: at for at, one in enumerate(transactions) for place in one.appends.items()}

    def add(before, after, why):
        if before is not None and after is not None and before != after:
            edges.setdefault(before, {}).setdefault(after, why)

    for key, order in orders.items():
        for one, other in itertools.pairwise(order):
            add(writers.get((key, one)), writers.get((key, other)), "ww")
    for at, one in enumerate(transactions):
        for key, read in one.reads.items():
            order = orders.get(key, [])
            length = read if isinstance(read, int) else len(read)
            if length:
                add(writers.get((key, order[length - 1])), at, "wr")
            if length < len(order):
                add(at, writers.get((key, order[length])), "rw")
    add_times(transactions, add)
    return edges


def add_times(transactions, add):
    """A chain of moments, one at each end of a transaction: a transaction comes before the moment of its end, and after
    the last moment before its call. So there are few edges."""
    ended = sorted((one.end, at) for at, one in enumerate(transactions) if one.outcome == DONE)
    ends = [end for end, _ in ended]
    for number, (_, at) in enumerate(ended):
        add(at, ("moment", number), "rt")
        add(("moment", number), ("moment", number + 1), "rt")
    for at, one in enumerate(transactions):
        number = bisect.bisect_left(ends, one.call) - 1
        if number >= 0:
            add(("moment", number), at, "rt")


def find_cycle(edges):
    """The nodes of a cycle, or None."""
    done, path, at = set(), [], {}
    for start in list(edges):
        stack = [(start, iter(edges.get(start, ())))] if start not in done else []
        if stack:
            at[start] = len(path)
            path.append(start)
        while stack:
            node, following = stack[-1]
            after = next((one for one in following if one not in done), None)
            if after in at:
                return path[at[after] :]
            if after is None:
                stack.pop()
                done.add(node)
                del at[path.pop()]
            else:
                at[after] = len(path)
                path.append(after)
                stack.append((after, iter(edges.get(after, ()))))
    return None


def check(transactions):
    """What is wrong with a history, in words; nothing if it is strictly serializable."""
    orders, problems = orders_of(transactions)
    problems += check_writers(transactions, orders)
    if problems:
        return problems
    seen = {(key, value) for key, order in orders.items() for value in order}
    happened = [one for one in transactions if one.outcome == DONE or seen & set(one.appends.items())]
    edges = dependencies(happened, orders)
    cycle = find_cycle(edges)
    if not cycle:
        return []
    steps = [f"{edges[one][other]} {happened[other] if isinstance(other, int) else ''}" for one, other in zip(cycle, cycle[1:] + cycle[:1])]
    return ["a cycle: " + ", ".join(steps)]
