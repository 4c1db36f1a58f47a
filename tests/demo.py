"""`make demo`: one turn of the example game, run on a copy as a moderator would."""

import subprocess
import sys
import tempfile
from pathlib import Path
from shutil import copytree

EXAMPLE = Path(__file__).parents[1] / "games" / "ur-1"


def main() -> int:
    """Copy the game, show what waits, run the turn, show a report; the exit code is the worst."""
    with tempfile.TemporaryDirectory(prefix="pbem-demo-") as place:
        games = Path(place) / "games"
        copytree(EXAMPLE, games / "ur-1")
        say(f"The example game games/ur-1, copied to {games}.\n")
        codes = [pbem(games, "status", "ur-1")]
        say("These order files wait in games/ur-1/orders:")
        for path in sorted((games / "ur-1" / "orders").glob("*.yaml")):
            say(f"\n----- {path.name}\n{path.read_text().rstrip()}")
        say("")
        codes.append(pbem(games, "turn", "ur-1"))
        say("Everybody's report is written. This is what lion reads:\n")
        codes.append(pbem(games, "report", "ur-1", "--for", "lion"))
        say("The copy is gone now. To go on from here, copy games/ur-1 and run the same commands.")
    return max(codes)


def say(text: str) -> None:
    """A line for the reader, in order with what the commands print."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def pbem(games: Path, *words: str) -> int:
    """Run the command as a user would; show the line and what it prints."""
    say(f"$ pbem {' '.join(words)}")
    done = subprocess.run([sys.executable, "-m", "pbem", "--games", games, *words], check=False)
    say("")
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
