"""A Tk window that prints what its toolkit takes clicks for: single, double, triple; `end` for a right click."""

import tkinter

root = tkinter.Tk()
root.overrideredirect(True)
root.geometry("200x200+0+0")
for event, word in [
    ("<Button-1>", "single"),
    ("<Double-Button-1>", "double"),
    ("<Triple-Button-1>", "triple"),
    ("<Button-3>", "end"),
]:
    root.bind(event, lambda _, word=word: print(word, flush=True))
root.wait_visibility()
root.update()
print("ready", flush=True)
root.mainloop()
