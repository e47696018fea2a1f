"""Calls what the official client of cua's computer server has, and prints what came of it as JSON."""

import asyncio
import json
import sys

from computer.interface.factory import InterfaceFactory


def text_of(error):
    return f"{type(error).__name__}: {error}"


async def refused(work):
    try:
        return await work
    except RuntimeError as error:
        return text_of(error)


async def main(host, home):
    computer = InterfaceFactory.create_interface_for_os("linux", host)
    found = {}
    await computer.wait_for_ready(timeout=30)
    found["size"] = await computer.get_screen_size()

    await computer.move_cursor(40, 30)
    found["position"] = await computer.get_cursor_position()
    await computer.left_click(40, 30)
    await computer.type_text("typed by cua")
    await computer.press("enter")
    await computer.type_text("Grüße")
    found["clipboard"] = await computer.copy_to_clipboard()
    found["screenshot"] = (await computer.screenshot())[:8].hex()

    path = f"{home}/ein Ordner/ünd 'so'.bin"
    await computer.create_dir(f"{home}/ein Ordner")
    await computer.write_bytes(path, bytes(range(256)) * 4)
    found["bytes"] = (await computer.read_bytes(path))[:256] == bytes(range(256))
    found["part"] = (await computer.read_bytes(path, offset=250, length=4)).hex()
    found["size of file"] = await computer.get_file_size(path)
    large = bytes(range(251)) * 25_000
    await computer.write_bytes(path, large)
    found["large"] = await computer.read_bytes(path) == large
    await computer.write_text(f"{home}/note.txt", "Grüße,\n")
    await computer.write_text(f"{home}/note.txt", "漢字\n", append=True)
    found["text"] = await computer.read_text(f"{home}/note.txt")
    found["names"] = await computer.list_dir(f"{home}/ein Ordner")
    found["exists"] = [
        await computer.file_exists(path),
        await computer.directory_exists(path),
        await computer.directory_exists(home),
        await computer.file_exists(f"{home}/none"),
    ]
    found["folder that is not empty"] = await refused(computer.delete_dir(f"{home}/ein Ordner"))
    await computer.delete_file(path)
    await computer.delete_dir(f"{home}/ein Ordner")
    found["deleted"] = not await computer.directory_exists(f"{home}/ein Ordner")
    found["missing"] = await refused(computer.delete_file(path))

    ran = await computer.run_command("echo out; echo err >&2; exit 3")
    found["ran"] = [ran.stdout, ran.stderr, ran.returncode]
    found["unknown"] = await computer._send_command("no_such_command")
    print(json.dumps(found))


asyncio.run(main(*sys.argv[1:]))
