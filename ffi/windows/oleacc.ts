/** oleacc.h: Microsoft Active Accessibility. */

export const IID_IAccessible = "618736e0-3c3d-11cf-810c-00aa00389b71";
export const OBJID_CLIENT = 0xffff_fffc;

/** Places in the table of IAccessible. */
export const IAccessible = { get_accName: 10, get_accRole: 13 } as const;

/** Roles of which windows of programs' own classes speak. */
export const ROLE_SYSTEM = {
  DOCUMENT: 15,
  TABLE: 24,
  LINK: 30,
  LIST: 33,
  OUTLINE: 35,
  GRAPHIC: 40,
  STATICTEXT: 41,
  TEXT: 42,
  PUSHBUTTON: 43,
  CHECKBUTTON: 44,
  RADIOBUTTON: 45,
  COMBOBOX: 46,
  SLIDER: 51,
} as const;
