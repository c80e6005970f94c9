// Column types that the tables of both dialects share.
import type { ColumnType } from 'kysely'

/** Written as an array; SQLite returns an ArrayBuffer, PostgreSQL a Buffer. Read with `toBuffer`. */
export type Bytes = ColumnType<Uint8Array | ArrayBuffer | null, Uint8Array | null, Uint8Array | null>
