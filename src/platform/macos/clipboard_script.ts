/**
 * The script for `osascript -l JavaScript` that reads and writes the general pasteboard. Contents pass
 * through its standard input and output, never through arguments, which every user can see.
 */

/**
 * `read <formats, JSON> <most bytes of each>` prints one line of JSON, and behind it the bytes of what
 * it lists under `sizes`, in that order. `write <isPassing>` takes the same from standard input.
 * `version` prints the line alone.
 * - `stringForType` converts every encoding; a screenshot is TIFF, which is converted to PNG (type 4).
 * - `org.nspasteboard.ConcealedType` keeps a content out of the history of clipboard managers.
 */
export const CLIPBOARD_SCRIPT = `
ObjC.import("AppKit");
const UTF8 = 4;
const PNG = 4;
const TYPES = { text: "public.utf8-plain-text", html: "public.html", png: "public.png" };
const board = $.NSPasteboard.generalPasteboard;

function utf8(text) {
  return $.NSString.stringWithString(text).dataUsingEncoding(UTF8);
}

function absent(value) {
  return value === undefined || value === null || (value.isNil && value.isNil());
}

function files() {
  const classes = $.NSArray.arrayWithObject($.NSURL);
  const options = $.NSDictionary.dictionaryWithObjectForKey(
    $.NSNumber.numberWithBool(true),
    "NSPasteboardURLReadingFileURLsOnlyKey",
  );
  const urls = board.readObjectsForClassesOptions(classes, options);
  if (absent(urls)) return [];
  const count = Number(urls.count);
  return Array.from({ length: count }, (_, i) => ObjC.unwrap(urls.objectAtIndex(i).path));
}

function dataOf(format) {
  if (format === "text") {
    const text = board.stringForType(TYPES.text);
    return absent(text) ? undefined : text.dataUsingEncoding(UTF8);
  }
  if (format === "files") {
    const paths = files();
    return paths.length === 0 ? undefined : utf8(JSON.stringify(paths));
  }
  const data = board.dataForType(TYPES[format]);
  if (!absent(data)) return data;
  if (format !== "png") return undefined;
  const tiff = board.dataForType("public.tiff");
  if (absent(tiff)) return undefined;
  const image = $.NSBitmapImageRep.imageRepWithData(tiff);
  if (absent(image)) return undefined;
  return image.representationUsingTypeProperties(PNG, $.NSDictionary.dictionary);
}

function read(formats, maxBytes) {
  const types = (ObjC.deepUnwrap(board.types) || []).map(String);
  const has = (...names) => names.some((name) => types.includes(name));
  const available = [
    ...(has(TYPES.text, "NSStringPboardType") ? ["text"] : []),
    ...(has(TYPES.html) ? ["html"] : []),
    ...(has(TYPES.png, "public.tiff") ? ["png"] : []),
    ...(has("public.file-url", "NSFilenamesPboardType") ? ["files"] : []),
  ];
  const sizes = {};
  const all = [];
  for (const format of formats.filter((each) => available.includes(each))) {
    const data = dataOf(format);
    if (absent(data)) continue;
    const size = Number(data.length);
    if (size > maxBytes) return print({ tooLarge: format });
    sizes[format] = size;
    all.push(data);
  }
  print({ types, available, sizes, version: Number(board.changeCount) }, all);
}

function write(isPassing) {
  const input = $.NSFileHandle.fileHandleWithStandardInput.readDataToEndOfFile;
  const head = Number(ObjC.unwrap($.NSString.alloc.initWithDataEncoding(
    input.subdataWithRange($.NSMakeRange(0, 10)), UTF8)));
  const line = ObjC.unwrap($.NSString.alloc.initWithDataEncoding(
    input.subdataWithRange($.NSMakeRange(10, head)), UTF8));
  const { sizes, files } = JSON.parse(line);
  const item = $.NSPasteboardItem.alloc.init;
  let at = 10 + head;
  for (const [format, size] of Object.entries(sizes)) {
    item.setDataForType(input.subdataWithRange($.NSMakeRange(at, size)), TYPES[format]);
    at += size;
  }
  if (isPassing) item.setDataForType(utf8("1"), "org.nspasteboard.ConcealedType");
  const objects = $.NSMutableArray.array;
  if (Object.keys(sizes).length > 0) objects.addObject(item);
  for (const path of files) objects.addObject($.NSURL.fileURLWithPath(path));
  board.clearContents;
  if (Number(objects.count) > 0 && !board.writeObjects(objects)) return print({ refused: true });
  print({ version: Number(board.changeCount) });
}

function print(head, all = []) {
  const out = $.NSFileHandle.fileHandleWithStandardOutput;
  out.writeData(utf8(JSON.stringify(head) + "\\n"));
  for (const data of all) out.writeData(data);
}

function run([what, ...rest]) {
  if (what === "read") read(JSON.parse(rest[0]), Number(rest[1]));
  else if (what === "write") write(rest[0] === "true");
  else print({ version: Number(board.changeCount) });
}
`;
