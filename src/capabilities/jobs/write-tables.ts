// The table of a job's results as CSV and as Parquet.
import type { ByteWriter as ParquetBytes } from 'hyparquet-writer'
import { writeCsv as csvOf } from '../../base/csv.ts'
import { tabulate } from './tabulate.ts'

type Documents = () => AsyncIterable<string>

export async function* writeCsv(documents: Documents): AsyncGenerator<string> {
  const { columns, rows } = await tabulate(documents)
  yield csvOf([columns.map(({ name }) => name)])
  for await (const row of rows) yield csvOf([row.map((cell) => String(cell ?? ''))])
}

const PARQUET_TYPES = { string: 'STRING', number: 'DOUBLE', boolean: 'BOOLEAN' } as const
/** A row group is held in memory. */
const MAX_GROUP_CELLS = 200_000
const MAX_GROUP_TEXT = 8_000_000

export async function* writeParquet(documents: Documents): AsyncGenerator<Uint8Array> {
  const { ByteWriter, ParquetWriter, schemaFromColumnData } = await import('hyparquet-writer')
  const { columns, rows } = await tabulate(documents)
  const makeGroup = () =>
    columns.map(({ name, kind }) => ({ name, type: PARQUET_TYPES[kind], nullable: true, data: [] as unknown[] }))
  const bytes = new ByteWriter()
  const writer = new ParquetWriter({ writer: bytes, schema: schemaFromColumnData({ columnData: makeGroup() }) })
  let [group, cells, text] = [makeGroup(), 0, 0]
  const write = () => {
    writer.write({ columnData: group, rowGroupSize: Number.MAX_SAFE_INTEGER })
    ;[group, cells, text] = [makeGroup(), 0, 0]
    return takeBytes(bytes)
  }
  for await (const row of rows) {
    for (const [index, { kind }] of columns.entries()) {
      const cell = row[index]
      const value = cell !== undefined && kind === 'string' ? String(cell) : cell
      group[index]!.data.push(value)
      text += typeof value === 'string' ? value.length : 0
    }
    cells += columns.length
    if (cells >= MAX_GROUP_CELLS || text >= MAX_GROUP_TEXT) yield write()
  }
  if (cells > 0) yield write()
  writer.finish()
  yield takeBytes(bytes)
}

/** What was written so far; offsets in the file go on. */
function takeBytes(writer: ParquetBytes): Uint8Array {
  const taken = writer.getBytes().slice()
  writer.index = 0
  return taken
}
