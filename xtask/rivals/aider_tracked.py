"""Prints what Aider's own GitRepo.get_tracked_files gives for a repository, a path a line."""

import sys

from aider.repo import GitRepo


class Silent:
    """Stands in for Aider's terminal."""

    def __getattr__(self, name):
        return lambda *args, **kwargs: None


repo = GitRepo(Silent(), [], sys.argv[1])
sys.stdout.write("".join(name + "\n" for name in repo.get_tracked_files()))
