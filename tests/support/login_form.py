"""A Tk login form that prints what was submitted, as JSON: a name, a password, and Enter in the password."""

import json
import sys
import tkinter

root = tkinter.Tk()
root.overrideredirect("--managed" not in sys.argv)
root.geometry("300x200+0+0")
name = tkinter.Entry(root)
name.place(x=20, y=20, width=200, height=30)
password = tkinter.Entry(root, show="*")
password.place(x=20, y=80, width=200, height=30)


def submit(_):
    print(json.dumps({"username": name.get(), "password": password.get()}), flush=True)
    name.delete(0, "end")
    password.delete(0, "end")


password.bind("<Return>", submit)
root.wait_visibility()
root.update()
print("ready", flush=True)
root.mainloop()
