// WARC files as archives write them: packed by record, with chunked and encoded bodies, and damaged ones.
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { readWarcPages } from './read-warc.ts'

const record = (type: string, url: string, contentType: string, block: string | Buffer, version = '1.1') =>
  Buffer.concat([
    Buffer.from(
      `WARC/${version}\r\nWARC-Type: ${type}\r\nWARC-Target-URI: ${url}\r\nWARC-Date: 2026-03-04T05:06:07Z\r\n` +
        `Content-Type: ${contentType}\r\nContent-Length: ${Buffer.byteLength(block)}\r\n\r\n`,
    ),
    Buffer.from(block),
    Buffer.from('\r\n\r\n'),
  ])
const response = (name: string, head: string, body: string | Buffer) =>
  record(
    'response',
    `https://tide.example/${name}`,
    'application/http; msgtype=response',
    Buffer.concat([Buffer.from(`HTTP/1.1 ${head}\r\n\r\n`), Buffer.from(body)]),
  )
/** In pieces of a size that cuts heads, marks and bodies. */
async function read(file: Buffer, size = 7) {
  async function* pieces() {
    for (let at = 0; at < file.length; at += size) yield file.subarray(at, at + size)
  }
  const found = []
  for await (const { url, contentType, at, body } of readWarcPages(pieces()))
    found.push([url.slice(21), contentType, new Date(at).toISOString(), Buffer.from(body).toString()])
  return found
}
const at = '2026-03-04T05:06:07.000Z'
const chunked = `5\r\n<p>Hi\r\n3;x=1\r\n</p\r\n1\r\n>\r\n0\r\n\r\n`
const records = [
  record('warcinfo', '', 'application/warc-fields', 'software: test\r\n'),
  response('plain', '200 OK\r\nContent-Type: text/html', '<p>A</p>\r\n\r\n<p>B</p>'),
  record('request', 'https://tide.example/plain', 'application/http', 'GET / HTTP/1.1\r\n\r\n'),
  response('chunked', '200 OK\r\ncontent-type: text/html\r\nTransfer-Encoding: chunked', chunked),
  response('zip', '200 OK\r\nContent-Encoding: gzip', gzipSync('packed')),
  response('unzipped', '200 OK\r\nContent-Encoding: gzip', 'unpacked already'),
  response('brotli', '200 OK\r\nContent-Encoding: br', brotliCompressSync('brotli')),
  response('gone', '404 Not Found\r\nContent-Type: text/html', 'gone'),
  response('odd', '200 OK\r\nContent-Encoding: br', 'not brotli'),
  record('resource', '<https://tide.example/drawn>', 'text/html', '<p>drawn</p>', '1.0'),
  record('metadata', 'https://tide.example/plain', 'application/json', '{}'),
]
const pages = [
  ['plain', 'text/html', at, '<p>A</p>\r\n\r\n<p>B</p>'],
  ['chunked', 'text/html', at, '<p>Hi</p>'],
  ['zip', '', at, 'packed'],
  ['unzipped', '', at, 'unpacked already'],
  ['brotli', '', at, 'brotli'],
  ['drawn', 'text/html', at, '<p>drawn</p>'],
]

it('gives the pages of an archive, packed by record or not', async () => {
  expect(await read(Buffer.concat(records))).toEqual(pages)
  expect(await read(Buffer.concat(records.map((one) => gzipSync(one))), 64)).toEqual(pages)
  expect(await read(Buffer.alloc(0))).toEqual([])
})

it('says what is wrong with a file', async () => {
  await expect(read(Buffer.from('<html>\r\n\r\n'))).rejects.toThrow('WARC/1.0')
  await expect(read(Buffer.concat(records).subarray(0, 400))).rejects.toThrow('cut')
  await expect(read(Buffer.from('WARC/1.1\r\nWARC-Type: response\r\n\r\n'))).rejects.toThrow('Content-Length')
  await expect(read(Buffer.alloc(200_000, 'x'), 10_000)).rejects.toThrow('too long')
  await expect(read(gzipSync(records[1]!).subarray(0, 100))).rejects.toThrow()
})
