#!/usr/bin/env python3
"""A form to practise on: a window with two fields, a check box and a button (needs python3-tk).

    python3 examples/form.py /tmp/form.json

writes what was entered to that file when the button is pressed, and ends.
"""

import json
import sys
import tkinter

root = tkinter.Tk()
root.title("Order")
root.geometry("420x220+60+60")
name, city, gift = tkinter.StringVar(), tkinter.StringVar(), tkinter.BooleanVar()
for label, variable in (("Name", name), ("City", city)):
    tkinter.Label(root, text=label, anchor="w").pack(fill="x", padx=20)
    tkinter.Entry(root, textvariable=variable, font=("", 14)).pack(fill="x", padx=20)
tkinter.Checkbutton(root, text="Wrap it as a gift", variable=gift).pack(anchor="w", padx=16)


def save(_event=None):
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        json.dump({"name": name.get(), "city": city.get(), "gift": gift.get()}, file)
    root.destroy()


button = tkinter.Button(root, text="Order", command=save)
button.bind("<Return>", save)
button.pack(pady=8)
root.after(50, lambda: print("ready", flush=True))
root.mainloop()
