/** The former names of `desktop.ts`. */

export {
  type Desktop as Desk,
  type DesktopOptions as DeskOptions,
  type RecordedDesktop as RecordedDesk,
  run,
  setLayout,
  startDesktop as startDesk,
  startRecordedDesktop as startRecordedDesk,
} from "./desktop.ts";
