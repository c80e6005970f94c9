// kill -9 at random moments while monitors look: no check is lost or doubled, every webhook and every mail comes at least
// once under its id, and what was paid is what the checks say.
import { createServer } from 'node:http'
import { SMTPServer } from 'smtp-server'
import { sleep } from '../../process.mjs'
import { newDatabase, newFolder, startOrb, until } from './jobs-ground.mjs'

const MONITORS = 6

export async function killRow(kills, name, postgres) {
  const site = await startChanging()
  const hooks = await startHooks()
  const post = await startMail()
  const dataDir = newFolder()
  const env = {
    ORB_SMTP_URL: `smtp://127.0.0.1:${post.port}`,
    ORB_MAIL_FROM: 'Watch <watch@example.org>',
    ORB_MONITOR_CONFIRM_MS: '10',
    ...(postgres ? { ORB_DATABASE_URL: await newDatabase(postgres.url) } : {}),
  }
  const start = () => startOrb({ ports: [site.port, hooks.port], dataDir, env })
  let orb = await start()
  try {
    const ids = []
    for (let n = 0; n < MONITORS; n++) {
      const { data } = await orb.call('POST', '/v2/monitor', {
        name: `Page ${n}`,
        schedule: { text: 'daily' },
        targets: [{ type: 'scrape', urls: [`${site.url}/page/${n}`] }],
        webhook: { url: `${hooks.url}/`, events: ['monitor.check.completed'] },
        notification: { email: { enabled: true, recipients: [`reader${n}@example.org`] } },
      })
      ids.push(data.id)
    }
    await until(() => post.mails.filter(({ text }) => confirmLink(text)).length >= MONITORS)
    for (const { text } of [...post.mails]) {
      const link = confirmLink(text)
      if (link) await fetch(`${orb.url}${new URL(link).pathname}`, { method: 'POST' })
    }
    const asked = []
    for (let n = 0; n < kills; n++) {
      const id = ids[n % MONITORS]
      site.edit(n % MONITORS)
      const { data, id: own } = await orb.call('POST', `/v2/monitor/${id}/run`)
      const checkId = data?.id ?? own
      if (checkId) asked.push({ id, checkId })
      await sleep(Math.random() * 900)
      await orb.end('SIGKILL')
      orb = await start()
      // The next look at the same page waits for this one.
      if (n % MONITORS === MONITORS - 1) await allDone(orb, ids)
    }
    await allDone(orb, ids)
    let [lost, doubled, credits, changed] = [0, 0, 0, 0]
    const told = []
    for (const id of ids) {
      const { data: checks } = await orb.call('GET', `/v2/monitor/${id}/checks?limit=100`)
      const known = new Set(checks.map((one) => one.id))
      doubled += checks.length - known.size + Math.max(0, checks.length - asked.filter((one) => one.id === id).length)
      lost += asked.filter((one) => one.id === id && !known.has(one.checkId)).length
      for (const check of checks) {
        if (check.status !== 'completed') lost++
        credits += check.actualCredits ?? 0
        if ((check.summary?.changed ?? 0) > 0) changed++
        told.push({ check: check.id, isChanged: (check.summary?.changed ?? 0) > 0 })
      }
    }
    const missing = () => told.filter(({ check }) => !hooks.checks.has(check)).length
    const unsent = () =>
      Math.max(0, changed - new Set(post.mails.filter(({ text }) => !confirmLink(text)).map(({ id }) => id)).size)
    await until(() => missing() + unsent() === 0, 60_000).catch(() => undefined)
    const { periods } = await orb.call('GET', '/v2/team/credit-usage/historical')
    const paid = periods.reduce((sum, { creditsUsed }) => sum + creditsUsed, 0)
    const ok = lost + doubled + missing() + unsent() + hooks.faults() === 0 && paid === credits && asked.length > 0
    return {
      what: `kill -9 at ${kills} random moments of checks, ${name}: ${asked.length} checks, ${changed} changes; checks lost; doubled; webhooks and mails missing; credits paid beside those said`,
      bar: '0; 0; 0; the same',
      measured: `${lost}; ${doubled}; ${missing()} and ${unsent()}; ${paid} and ${credits}`,
      ok,
    }
  } finally {
    await orb.stop()
    for (const one of [site, hooks, post]) one.stop()
  }
}

const confirmLink = (text) => /https?:\/\/[^\s"<>]*\/confirm[^\s"<>]*/.exec(text)?.[0]

const allDone = (orb, ids) =>
  until(async () => {
    for (const id of ids) if ((await orb.call('GET', `/v2/monitor/${id}`)).data.currentCheckId) return false
    return true
  }, 180_000)

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

async function startHooks() {
  const texts = new Map()
  const checks = new Set()
  let faults = 0
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk) => {
      text += chunk
    })
    request.on('end', () => {
      const { webhookId, data } = JSON.parse(text)
      if (!webhookId || (texts.has(webhookId) && texts.get(webhookId) !== text)) faults++
      texts.set(webhookId, text)
      for (const one of [data].flat()) if (one?.checkId ?? one?.id) checks.add(one.checkId ?? one.id)
      response.end()
    })
  })
  return { ...(await listening(server)), checks, faults: () => faults }
}

/** Every mail by its id: the same however often it is sent. */
async function startMail() {
  const mails = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, _session, done) {
      let text = ''
      stream.on('data', (chunk) => {
        text += chunk
      })
      stream.on('end', () => {
        const whole = text.replace(/=\r?\n/g, '').replaceAll('=3D', '=')
        mails.push({ id: /^message-id: *(\S+)/im.exec(whole)?.[1], text: whole })
        done()
      })
    },
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { port: server.server.address().port, mails, stop: () => server.close() }
}

async function listening(server) {
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address()
  const stop = () => {
    server.close()
    server.closeAllConnections()
  }
  return { url: `http://127.0.0.1:${port}`, port, stop }
}
