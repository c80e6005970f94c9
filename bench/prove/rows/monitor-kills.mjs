// kill -9 at random moments while monitors look: no check is lost or doubled, every webhook and every mail comes at least
// once under its id, and what was paid is what the checks say.
import { createServer } from 'node:http'
import { SMTPServer } from 'smtp-server'
import { sleep } from '../../process.mjs'
import { listening, newDatabase, newFolder, startOrb, startReceiver, until } from './jobs-context.mjs'

const MONITORS = 6
const DONE_MS = 180_000
const SENT_MS = 120_000

export async function killRow(kills, name, postgres) {
  const site = await startChanging()
  const hooks = await startReceiver()
  const post = await startMail()
  const dataDir = newFolder()
  const env = {
    ORB_SMTP_URL: `smtp://127.0.0.1:${post.port}`,
    ORB_MAIL_FROM: 'Watch <watch@example.org>',
    ORB_MONITOR_CONFIRM_MS: '50',
    ...(postgres ? { ORB_DATABASE_URL: await newDatabase(postgres.url) } : {}),
  }
  const start = () => startOrb({ ports: [site.port, hooks.port], dataDir, env })
  const held = { orb: await start() }
  try {
    const ids = await monitorsOf(held.orb, site, hooks, post)
    const told = (checkId) => [...hooks.letters.values()].some(({ job }) => job === checkId)
    const run = async (n) => {
      site.edit(n)
      const { id } = await held.orb.call('POST', `/v2/monitor/${ids[n]}/run`)
      if (!id) throw new Error(`monitor ${n} did not run`)
      return { monitor: ids[n], checkId: id }
    }
    // One check each in peace: what it takes is the time in which kills are random.
    const asked = []
    const begun = performance.now()
    for (const n of ids.keys()) {
      asked.push(await run(n))
      await until(() => told(asked.at(-1).checkId), DONE_MS, 5)
    }
    const span = (1.5 * (performance.now() - begun)) / MONITORS
    let open = 0
    for (let at = 0; at < kills; at++) {
      if (at % MONITORS === 0) await allDone(held.orb, ids)
      asked.push(await run(at % MONITORS))
      await sleep(Math.random() * span)
      await held.orb.end('SIGKILL')
      if (!told(asked.at(-1).checkId)) open++
      held.orb = await start()
    }
    await allDone(held.orb, ids)
    const sums = await sumsOf(held.orb, ids, asked)
    const missing = () => sums.checks.filter((id) => !told(id)).length
    const unsent = () => sums.changes.filter((one) => !post.hasReported(one)).length
    await until(() => missing() + unsent() === 0, SENT_MS).catch(() => undefined)
    const { periods } = await held.orb.call('GET', '/v2/team/credit-usage/historical')
    const paid = periods.reduce((sum, { creditsUsed }) => sum + creditsUsed, 0)
    const { lost, doubled, credits, changes } = sums
    const faults = hooks.faults() + post.faults()
    return {
      what: `kill -9 at ${kills} random moments of checks, ${name}: checks lost; checks run twice; webhooks and e-mails missing; inconsistent ids; credits charged and reported`,
      bar: '0; 0; 0 and 0; 0; the same',
      measured: `${lost}; ${doubled}; ${missing()} and ${unsent()}; ${faults}; ${paid} and ${credits} (${asked.length} checks, ${changes.length} changes; ${open} kills before the check had reported its end)`,
      ok: lost + doubled + missing() + unsent() + faults === 0 && paid === credits && changes.length > 0,
    }
  } finally {
    await held.orb.stop()
    for (const one of [site, hooks, post]) one.stop()
  }
}

/** Monitors of one page each, whose readers have said yes. */
async function monitorsOf(orb, site, hooks, post) {
  const ids = []
  for (let n = 0; n < MONITORS; n++) {
    const { data, error } = await orb.call('POST', '/v2/monitor', {
      name: `Page ${n}`,
      schedule: { text: 'daily' },
      targets: [{ type: 'scrape', urls: [`${site.url}/page/${n}`] }],
      webhook: { url: hooks.url, events: ['monitor.check.completed'] },
      notification: { email: { enabled: true, recipients: [reader(n)], includeDiffs: true } },
    })
    if (!data) throw new Error(error)
    ids.push(data.id)
  }
  await until(() => post.links().length >= MONITORS, DONE_MS)
  for (const link of post.links()) await fetch(`${orb.url}${new URL(link).pathname}`, { method: 'POST' })
  return ids
}

const reader = (n) => `reader${n}@example.org`

const allDone = (orb, ids) =>
  until(async () => {
    for (const id of ids) if ((await orb.call('GET', `/v2/monitor/${id}`)).data.currentCheckId) return false
    return true
  }, DONE_MS)

/** What the service says of the checks, beside those that were asked for. */
async function sumsOf(orb, ids, asked) {
  const sums = { lost: 0, doubled: 0, credits: 0, checks: [], changes: [] }
  for (const [n, id] of ids.entries()) {
    const { data: checks } = await orb.call('GET', `/v2/monitor/${id}/checks?limit=100`)
    const known = new Set(checks.map((one) => one.id))
    const own = asked.filter(({ monitor }) => monitor === id)
    sums.lost += own.filter(({ checkId }) => !known.has(checkId)).length
    // The daily tick of a monitor may fall into the time of the proof: it is to come once.
    const ticks = checks.filter(({ trigger }) => trigger === 'scheduled')
    sums.doubled += ticks.length - new Set(ticks.map(({ scheduledFor }) => scheduledFor)).size
    const others = checks.filter((one) => !ticks.includes(one) && !own.some(({ checkId }) => checkId === one.id))
    for (const one of others) console.log(`  not asked for: ${JSON.stringify(one)}`)
    sums.doubled += others.length
    for (const check of checks) {
      if (check.status !== 'completed') sums.lost++
      sums.credits += check.actualCredits ?? 0
      sums.checks.push(check.id)
      const { data } = await orb.call('GET', `/v2/monitor/${id}/checks/${check.id}`)
      if (data.pages.length !== 1) sums.doubled++
      for (const { status, diff } of data.pages)
        if (status === 'changed') sums.changes.push({ to: reader(n), quay: /^\+.*quay (\d+)/m.exec(diff.text)?.[1] })
    }
  }
  return sums
}

/** Pages that say something new whenever they are told to. */
async function startChanging() {
  const edits = new Map()
  const server = createServer((request, response) => {
    const n = Number(/^\/page\/(\d+)/.exec(request.url ?? '')?.[1] ?? -1)
    if (n < 0) return response.writeHead(404).end()
    const filler =
      'This page tells at some length about things that stay as they are, so that it is worth reading. '.repeat(4)
    response.setHeader('content-type', 'text/html')
    response.end(
      `<title>Page ${n}</title><main><h1>Page ${n}</h1><p>${filler}</p><p>The ferry ${WORDS[(edits.get(n) ?? 0) % WORDS.length]} now leaves from quay ${edits.get(n) ?? 0}.</p></main>`,
    )
  })
  return { ...(await listening(server)), edit: (n) => edits.set(n, (edits.get(n) ?? 0) + 1) }
}

const WORDS = ['Corrie', 'Ulva', 'Sanda', 'Lunga', 'Scarba', 'Fladda', 'Gometra', 'Staffa', 'Iona']

/** Mails with their readers; one without an id, or two of one id to different readers, is a fault. */
async function startMail() {
  const mails = []
  const readers = new Map()
  let faults = 0
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, { envelope }, done) {
      let text = ''
      stream.on('data', (chunk) => {
        text += chunk
      })
      stream.on('end', () => {
        const whole = text.replace(/=\r?\n/g, '').replaceAll('=3D', '=')
        const id = /^message-id:\s*(\S+)/im.exec(text)?.[1]
        const to = envelope.rcptTo[0].address
        if (!id || (readers.has(id) && readers.get(id) !== to)) faults++
        readers.set(id, to)
        mails.push({ to, text: whole })
        done()
      })
    },
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: server.server.address().port,
    stop: () => server.close(),
    faults: () => faults,
    links: () => mails.flatMap(({ text }) => /https?:\/\/[^\s"<>]*\/confirm\/[^\s"<>]*/.exec(text)?.[0] ?? []),
    hasReported: ({ to, quay }) =>
      mails.some((mail) => mail.to === to && new RegExp(`^ *\\+.*quay ${quay}\\b`, 'm').test(mail.text)),
  }
}
