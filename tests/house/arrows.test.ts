import { describe, expect, test } from 'vitest'
import { type Source, sourcesOf } from './source.ts'

/** Who may see whom, and what each room may take from npm (README, "The house"). */
const rooms: Record<string, { sees: string[]; packages: RegExp }> = {
  'src/domain': { sees: ['src/domain'], packages: /^(currency\.js|date-fns)(\/|$)/ },
  'src/contract': { sees: ['src/contract', 'src/domain'], packages: /^superstruct$/ },
  'src/local': { sees: ['src/local', 'src/contract', 'src/domain'], packages: /^(dexie|superstruct|ofetch)$/ },
  'src/client': {
    sees: ['src/client', 'src/local', 'src/contract', 'src/domain'],
    packages: /^(?!node:|ofetch$|fastify|kysely|pg$|sharp|dexie$)/,
  },
  'src/server': {
    sees: ['src/server', 'src/contract', 'src/domain'],
    packages: /^(?!react|wouter|jotai|dexie|ofetch|workbox-)/,
  },
  sw: { sees: ['sw', 'src/local', 'src/contract', 'src/domain'], packages: /^workbox-/ },
}

const strays = (room: string, { imports, path }: Source): string[] => {
  const rule = rooms[room]
  if (!rule) throw new Error(`no rule for ${room}`)
  const isOurs = (target: string) => /^(src|sw|tests|public|vite\.config)/.test(target)
  return imports
    .filter((target) =>
      isOurs(target) ? !rule.sees.some((seen) => target.startsWith(`${seen}/`)) : !rule.packages.test(target),
    )
    .map((target) => `${path} imports ${target}`)
}

describe('the arrows between rooms', () => {
  test.each(Object.keys(rooms))('%s sees only what it may', (room) => {
    const sources = sourcesOf(room)
    expect(sources.length).toBeGreaterThan(0)
    expect(sources.flatMap((source) => strays(room, source))).toEqual([])
  })

  test('a planted stray is found', () => {
    const planted = { path: 'src/domain/planted.ts', text: '', imports: ['src/server/app.ts', 'dexie'] }
    expect(strays('src/domain', planted)).toHaveLength(2)
  })

  test('only the page’s api knows ofetch', () => {
    const users = sourcesOf('src').filter((source) => source.imports.includes('ofetch'))
    expect(users.map((source) => source.path)).toEqual(['src/local/api.ts'])
  })

  test('only the server’s main reads adapters, and it and the programs beside it the environment', () => {
    const sources = sourcesOf('src/server').filter((source) => !/\/(adapters|build)\//.test(source.path))
    const adapterUsers = sources.filter((source) =>
      source.imports.some((target) => target.includes('src/server/adapters/')),
    )
    const envUsers = sources.filter((source) => source.text.includes('process.env'))
    expect(adapterUsers.map((source) => source.path)).toEqual(['src/server/main.ts'])
    expect(envUsers.map((source) => source.path).toSorted()).toEqual([
      'src/server/main.ts',
      'src/server/make-administrator.ts',
    ])
  })
})

/** The server's features, one folder each; its other folders are what they share. */
const serverFeatures = [
  'accounts',
  'auth',
  'carts',
  'catalogue',
  'checkout',
  'downloads',
  'entry',
  'find',
  'green-screens',
  'hand-over',
  'image-lookups',
  'imports',
  'landing',
  'orders',
  'organizations',
  'package-sets',
  'photos',
  'platform',
  'production',
  'shoots',
  'staff-orders',
  'studio',
  'studio-jobs',
  'subjects',
  'uploads',
]
const clientFeature = /^src\/(client\/(?:customer\/(?!\w+\.tsx?$)[^/]+|studio\/[^/]+|system\/[^/]+|home|account))\//

/** The feature a file belongs to: one errand, deaf to its neighbours. */
const featureOf = (path: string): string | undefined => {
  const [, folder] = /^src\/server\/([^/]+)\//.exec(path) ?? []
  if (folder !== undefined) return serverFeatures.includes(folder) ? `server/${folder}` : undefined
  return clientFeature.exec(path)?.[1]
}

describe('the features', () => {
  test('never import each other', () => {
    const sources = sourcesOf('src/client', 'src/server').filter((source) => featureOf(source.path))
    const crossings = sources.flatMap((source) =>
      source.imports
        .filter((target) => featureOf(target) && featureOf(target) !== featureOf(source.path))
        .map((target) => `${source.path} imports ${target}`),
    )
    expect(crossings).toEqual([])
  })
})

describe('the domain', () => {
  const forbidden = [
    /\bDate\.now\b/,
    /\bnew Date\(\)/,
    /\bMath\.random\b/,
    /\bcrypto\b/,
    /\bawait\b/,
    /\basync\b/,
    /\bsetTimeout\b/,
  ]
  test.each(forbidden)('never says %s', (pattern) => {
    const guilty = sourcesOf('src/domain').filter((source) => pattern.test(source.text))
    expect(guilty.map((source) => source.path)).toEqual([])
  })
})
