// A learnt program: for each field the ways to its value, in order of trust. Plain JSON that people read and edit.

/** How a text becomes a number or another form; absent: the text. */
export const VALUE_FORMS = [
  'number',
  'money',
  'seconds',
  'minutes',
  'hours',
  'days',
  'year',
  'date',
  'date-time',
  'time',
  'link',
  'yes-or-no',
  /** The text up to its first number. */
  'words',
] as const
export type ValueForm = (typeof VALUE_FORMS)[number]

/** One place of a value. Exactly one of `data`, `state`, `css`, `xpath`, `label` and `column` is set. */
export interface Way {
  /** A path in structured data: `Product.offers.price`. */
  data?: string
  /** A path in the state that a script carries, after its name: `__NEXT_DATA__`. */
  state?: string
  path?: string
  /** In a record, `:scope` is the record itself. */
  css?: string
  xpath?: string
  /** The text that stands before the value, or the header of its table column. */
  label?: string
  /** In a record that is a table row: the column, from 0. */
  column?: number
  /** The match to take, from 0; absent: the first, or all for a list. Negative: from the end. */
  nth?: number
  /**
   * `text` (default), `lines`, `own` (text between child elements), `bare` (the same if it is one text, else all of it), or an
   * attribute: `@href`. Of a record: `siblings`, the
   * matched element with what follows it up to the next match. `present` and `absent`: whether there is a match.
   */
  take?: string
  /** Takes the last match above the record: the heading of its group. */
  above?: boolean
  /** Takes what follows this text. */
  after?: string
  /** Takes what precedes this text. */
  before?: string
  /** Splits a text into list items. */
  split?: string
  /** Texts that are no value: "n/a", or the heading among the items of a list. */
  skip?: string[]
  as?: ValueForm
  /** From 0 to 1. */
  trust?: number
}

export type FieldType = 'string' | 'number' | 'integer' | 'boolean' | 'list' | 'records'

/** What taught values look like; a value far from it is refused. */
interface FieldShape {
  /** Longest text seen, in characters. */
  longest: number
  /** Most items seen in a list. */
  items?: number
  /** Share of read pages without a value. */
  missing: number
  /** Of the text that the best way takes: letters as `a`, digits as `9`. Empty: the taught texts differ in kind. */
  shape: string
}

export type SignsAround = { css: string; open: string; close: string }

export interface FieldProgram {
  type: FieldType
  /** Type of a list's items. */
  items?: Exclude<FieldType, 'list' | 'records'>
  ways: Way[]
  /** Headings between the items of a list are items too. */
  headings?: boolean
  /** Signs that belong around parts of the items. */
  signs?: SignsAround[]
  seen?: FieldShape
  /** Taught to be read from the same place as another field of the record. */
  shared?: boolean
  /** Most records have it: a match without such fields is no record. */
  usual?: boolean
  /** Of `records`: ways are relative to one record. */
  fields?: Record<string, FieldProgram>
}

export interface Program {
  /** Set when the value is a list of records itself. */
  records: FieldProgram | null
  fields: Record<string, FieldProgram>
  /** Lasting names around the values of the taught pages, to recognise their template. */
  marks: string[]
}

export type ReadBy = 'data' | 'element' | 'label'

export interface FieldReading {
  by: ReadBy | null
  confidence: number
  /** Index of the way that gave the value. */
  way?: number
}

export interface ProgramReading {
  /** Null: the page does not fit. */
  value: Record<string, unknown> | unknown[] | null
  fields: Record<string, FieldReading>
  /** From 0 to 1: how well the page fits the taught template. */
  fit: number
}
