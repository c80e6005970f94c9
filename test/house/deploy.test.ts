// What is shipped beside the service: the lock file installs everywhere, and containers, units and charts name only settings,
// files and routes that exist.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { lacking, unsure } from '../../scripts/complete-lock.mjs'
import { migrateCommand } from '../../src/cli/migrate.ts'
import { serveCommand, workCommand } from '../../src/cli/start-commands.ts'
import { settingFields, writeConfigExample } from '../../src/config.ts'
import { renderChart } from './helm.ts'

const root = join(import.meta.dirname, '../..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const charts = readdirSync(join(root, 'deploy'), { recursive: true, encoding: 'utf8' })
  .map((path) => `deploy/${path}`)
  .filter((path) => /\.(?:yaml|tpl|service)$/.test(path))
const shipped = ['Dockerfile', 'compose.yaml', 'compose.scale.yaml', ...charts]

describe('package-lock.json', () => {
  const { packages } = JSON.parse(read('package-lock.json'))

  it('has a checksum of every package: each was seen in the registry', () => {
    expect(unsure(packages)).toEqual([])
  })

  it('has the builds of every platform that a package asks for', () => {
    expect(lacking(packages)).toEqual([])
  })

  it('says what is missing when an entry is', () => {
    const broken = { ...packages }
    delete broken['node_modules/@libsql/linux-arm64-gnu']
    expect(lacking(broken)).toMatchObject([{ name: '@libsql/linux-arm64-gnu' }])
    broken['node_modules/@libsql/linux-arm64-gnu'] = { version: '0.5.29', optional: true }
    expect(unsure(broken)).toEqual(['node_modules/@libsql/linux-arm64-gnu'])
  })
})

describe('what is shipped beside the service', () => {
  it('names settings that exist', () => {
    const known = new Set([
      ...Object.values(settingFields).map(({ env }) => env),
      'ORB_PUBLISH',
      'ORB_PUBLISH_SECOND',
      'ORB_DATABASE_PASSWORD',
    ])
    const named = shipped.flatMap((path) =>
      [...read(path).matchAll(/ORB_[A-Z0-9_]+/g)].map(([name]) => `${path}: ${name}`),
    )
    expect(named.length).toBeGreaterThan(10)
    expect(named.filter((line) => !known.has(line.split(': ')[1] ?? ''))).toEqual([])
  })

  it('copies files that exist, runs without root and can be asked for its health', () => {
    const text = read('Dockerfile')
    const copied = [...text.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, files = '']) => files.split(' '))
    expect(copied.length).toBeGreaterThan(1)
    expect(copied.filter((path) => !existsSync(join(root, path)))).toEqual([])
    for (const line of [/^USER node$/m, /^VOLUME \/data$/m, /^STOPSIGNAL SIGTERM$/m, /^HEALTHCHECK /m])
      expect(text).toMatch(line)
  })

  it('probes routes that the service has', () => {
    const routes = read('src/api/server.ts')
    const probed = charts.flatMap((path) =>
      [...read(path).matchAll(/httpGet: \{ path: ([^,]+),/g)].map(([, at]) => at ?? ''),
    )
    expect(probed.length).toBeGreaterThan(1)
    expect(probed.filter((path) => !routes.includes(`'${path}'`))).toEqual([])
  })

  it('has an example of every setting, all of them commented out', () => {
    const lines = writeConfigExample().split('\n').filter(Boolean)
    expect(lines.filter((line) => !line.startsWith('#'))).toEqual([])
    for (const { env } of Object.values(settingFields))
      expect(lines.some((line) => line.startsWith(`#${env}=`))).toBe(true)
  })
})

// biome-ignore lint/suspicious/noExplicitAny: manifests are looked into freely.
type Manifest = any

describe('the Helm chart', () => {
  const chart = join(root, 'deploy/helm/orbweaver')
  const scaled = {
    work: { autoscaling: { enabled: true } },
    serve: { autoscaling: { enabled: true } },
    env: { ORB_AUTH: 'on' },
  }
  const plain = renderChart(chart, 'web') as Manifest[]
  const all = renderChart(chart, 'web', scaled) as Manifest[]
  const named = (from: Manifest[], kind: string, name: string) =>
    from.find((one) => one.kind === kind && one.metadata.name === name)

  it('renders what it should, each with a name, labels and a version of the API', () => {
    expect(plain.map(({ kind, metadata }) => `${kind} ${metadata.name}`).sort()).toEqual([
      'Deployment web-serve',
      'Deployment web-work',
      'Job web-migrate',
      'PodDisruptionBudget web-serve',
      'PodDisruptionBudget web-work',
      'Service web',
    ])
    for (const { apiVersion, metadata } of all) {
      expect(apiVersion).toMatch(/^(v1|apps\/v1|batch\/v1|policy\/v1|autoscaling\/v2)$/)
      expect(metadata.labels).toMatchObject({
        'app.kubernetes.io/name': 'orbweaver',
        'app.kubernetes.io/instance': 'web',
      })
    }
  })

  it('runs without root on a read-only root, writes only to volumes, and every pod is selected', () => {
    for (const name of ['web-serve', 'web-work']) {
      const { selector, template } = named(all, 'Deployment', name).spec
      expect(template.metadata.labels).toMatchObject(selector.matchLabels)
      expect(named(all, 'PodDisruptionBudget', name).spec.selector).toEqual(selector)
    }
    for (const { spec } of all.filter(({ kind }) => kind === 'Deployment' || kind === 'Job')) {
      const pod = spec.template.spec
      const [container] = pod.containers
      expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } })
      expect(container.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      })
      expect(container.volumeMounts.map((mount: Manifest) => mount.name)).toEqual(
        pod.volumes.map((one: Manifest) => one.name),
      )
      expect(container.env).toContainEqual({ name: 'ORB_AUTH', value: 'on' })
      expect(container.resources.limits.memory).toBeDefined()
    }
    const [serve] = named(all, 'Deployment', 'web-serve').spec.template.spec.containers
    for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe'])
      expect(serve[probe].httpGet.port).toBe('http')
    expect(named(all, 'Service', 'web').spec.ports[0].targetPort).toBe(serve.ports[0].name)
  })

  it('scales workers by the pages that wait, in a number that the service has', () => {
    expect(named(plain, 'Deployment', 'web-work').spec.replicas).toBe(2)
    expect(named(all, 'Deployment', 'web-work').spec).not.toHaveProperty('replicas')
    const { spec } = named(all, 'HorizontalPodAutoscaler', 'web-work')
    expect(spec.scaleTargetRef).toMatchObject({ kind: 'Deployment', name: 'web-work' })
    expect(spec.metrics[0].external).toMatchObject({ metric: { name: 'orb_queue' }, target: { averageValue: '50' } })
    expect(read('src/api/metrics.ts')).toContain(`name: '${spec.metrics[0].external.metric.name}'`)
  })

  it('runs commands that `orb` has', () => {
    const names = [serveCommand, workCommand, migrateCommand].map(({ name }) => name)
    const roles = all.flatMap(({ spec }) => spec.template?.spec.containers[0].args ?? [])
    const { services } = parse(read('compose.scale.yaml'), { merge: true }) as Manifest
    const started = Object.values<Manifest>(services).flatMap(({ image, command }) =>
      image === 'orbweaver' ? command : [],
    )
    expect(roles.sort()).toEqual(['migrate', 'serve', 'work'])
    expect(started.sort()).toEqual(['migrate', 'serve', 'work'])
    for (const role of [...roles, ...started]) expect(names).toContain(role)
  })
})

it('compose.scale.yaml has a bucket, PostgreSQL, two that serve and four that work, all on the same of both', () => {
  const { services, volumes } = parse(read('compose.scale.yaml'), { merge: true }) as Manifest
  const ours = Object.values<Manifest>(services).filter(({ environment }) => environment?.ORB_DATABASE_URL)
  expect(ours.filter(({ command }) => command[0] === 'serve')).toHaveLength(2)
  expect(services.worker.deploy.replicas).toBe(4)
  for (const name of ['ORB_DATABASE_URL', 'ORB_S3_ENDPOINT', 'ORB_S3_BUCKET', 'ORB_S3_SECRET_KEY'])
    expect(new Set(ours.map(({ environment }) => environment[name])).size).toBe(1)
  const waits = Object.values<Manifest>(services).flatMap(({ depends_on = {} }) => Object.keys(depends_on))
  expect(waits.filter((name) => !(name in services))).toEqual([])
  const mounted = Object.values<Manifest>(services).flatMap(({ volumes: some = [] }) =>
    some.map((one: string) => one.split(':')[0]),
  )
  expect(mounted.filter((name) => !(name in volumes))).toEqual([])
})
