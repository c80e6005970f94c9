// Columns that the tables of both dialects share.
import type { ColumnType } from 'kysely'

/** Bytes go in as an array; SQLite hands back an ArrayBuffer, PostgreSQL a Buffer: read them with `bytesOf`. */
export type Bytes = ColumnType<Uint8Array | ArrayBuffer | null, Uint8Array | null, Uint8Array | null>
