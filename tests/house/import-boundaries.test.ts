import { describe, expect, test } from 'vitest'
import { importsOf, readSourceFiles, type SourceFile } from './source-files.ts'

/** The folders that each folder of `src` may import, and the packages (README, "Architecture"). */
const importRules: Record<string, { imports: string[]; packages: RegExp }> = {
  'src/domain': { imports: ['src/domain'], packages: /^(currency\.js|date-fns|@date-fns\/\w+)(\/|$)/ },
  'src/contract': { imports: ['src/contract', 'src/domain'], packages: /^superstruct$/ },
  'src/local': { imports: ['src/local', 'src/contract', 'src/domain'], packages: /^(dexie|superstruct|ofetch)$/ },
  'src/client': {
    imports: ['src/client', 'src/local', 'src/contract', 'src/domain'],
    packages: /^(?!node:|ofetch$|fastify|kysely|pg$|sharp|dexie$)/,
  },
  'src/server': {
    imports: ['src/server', 'src/contract', 'src/domain'],
    packages: /^(?!react|wouter|jotai|dexie|ofetch|workbox-)/,
  },
  sw: { imports: ['sw', 'src/local', 'src/contract', 'src/domain'], packages: /^workbox-/ },
}

const isOwnFile = (target: string): boolean => /^(src|sw|tests|public|vite\.config)/.test(target)

const forbiddenImports = (folder: string, { imports, path }: SourceFile): string[] => {
  const rule = importRules[folder]
  if (!rule) throw new Error(`no rule for ${folder}`)
  return imports
    .filter(({ target }) =>
      isOwnFile(target)
        ? !rule.imports.some((allowed) => target.startsWith(`${allowed}/`))
        : !rule.packages.test(target),
    )
    .map(({ target }) => `${path} imports ${target}`)
}

const createSource = (path: string, text: string): SourceFile => ({ path, text, imports: importsOf(path, text) })

describe('the import boundaries', () => {
  test.each(Object.keys(importRules))('the folder %s imports only allowed folders and packages', (folder) => {
    const sources = readSourceFiles(folder)
    expect(sources.length).toBeGreaterThan(0)
    expect(sources.flatMap((source) => forbiddenImports(folder, source))).toEqual([])
  })

  test('a forbidden import is found in every syntax', () => {
    const source = createSource(
      'src/domain/example.ts',
      `import { app } from '#server/app.ts'
       import type { Cart } from '../local/cart.ts'
       export * from 'dexie'
       const load = { screen: () => import('#client/main.tsx') }
       let type: typeof import('#contract/calls.ts')`,
    )
    expect(forbiddenImports('src/domain', source)).toHaveLength(5)
  })

  test('only the device’s HTTP client imports ofetch', () => {
    const users = readSourceFiles('src').filter(({ imports }) => imports.some(({ target }) => target === 'ofetch'))
    expect(users.map(({ path }) => path)).toEqual(['src/local/transport/http-client.ts'])
  })

  test('only main.ts imports adapters, and only programs read the environment', () => {
    const sources = readSourceFiles('src/server').filter(({ path }) => !/\/(adapters|build)\//.test(path))
    const isAdapter = ({ target }: { target: string }) => /^src\/server\/(payments\/)?adapters\//.test(target)
    const adapterUsers = sources.filter(({ imports }) => imports.some(isAdapter))
    const environmentReaders = sources.filter(({ text }) => text.includes('process.env'))
    expect(adapterUsers.map(({ path }) => path)).toEqual(['src/server/main.ts'])
    expect(environmentReaders.map(({ path }) => path).toSorted()).toEqual([
      'src/server/main.ts',
      'src/server/make-administrator.ts',
      'src/server/verify-audit-log.ts',
    ])
  })
})

/**
 * Server folders that every feature may import, and that import no feature. Each other folder of `src/server` is a feature; `images` and
 * `access` are groups of features.
 */
const sharedServerPath =
  /^src\/server\/(access\/(authorization|brute-force|credentials|grants|sessions|tokens)|audit|carts\/store|configuration|database|file-parsers|file-responses|http|images\/(engine|inspection|metadata|print|store)|imports\/parsing|jobs\/store|mail|orders\/(sale|store)|payments\/port|ports|queue|studio\/store|subjects\/store|webhooks\/outbox)\//
const compositionPath = /^src\/server\/([^/]+\.ts$|(build|demo|adapters|payments\/adapters)\/)/
const serverFeaturePath = /^src\/(server\/(?:(?:images|access)\/)?[^/]+)\//
const clientFeaturePath =
  /^src\/(client\/(?:customer\/(?!shared\/)[^/]+|home|staff\/(?:studio\/[^/]+|system\/[^/]+|account)))\//

/** The feature that a file belongs to, if any. */
const getFeature = (path: string): string | undefined => {
  if (!path.startsWith('src/server/')) return clientFeaturePath.exec(path)?.[1]
  if (sharedServerPath.test(path) || compositionPath.test(path)) return undefined
  return serverFeaturePath.exec(path)?.[1]
}

/** The client's folders below the features, and what each may import from the client. */
const clientLayers: Record<string, RegExp> = {
  'src/client/platform': /^src\/client\/platform\//,
  'src/client/ui': /^src\/client\/(platform|ui)\//,
  'src/client/customer/shared': /^src\/client\/(platform|ui|customer\/shared)\//,
  'src/client/staff/kit': /^src\/client\/(platform|ui|staff\/kit)\//,
}

describe('the features', () => {
  const sources = readSourceFiles('src/client', 'src/server')

  test('features never import each other', () => {
    const violations = sources.flatMap(({ path, imports }) => {
      const feature = getFeature(path)
      const isOther = (target: string) => getFeature(target) !== undefined && getFeature(target) !== feature
      return feature === undefined
        ? []
        : imports.filter(({ target }) => isOther(target)).map(({ target }) => `${path} imports ${target}`)
    })
    expect(violations).toEqual([])
  })

  test('shared folders of the server import no feature', () => {
    const violations = sources
      .filter(({ path }) => sharedServerPath.test(path))
      .flatMap(({ path, imports }) =>
        imports.filter(({ target }) => getFeature(target)).map(({ target }) => `${path} imports ${target}`),
      )
    expect(violations).toEqual([])
  })

  test.each(Object.entries(clientLayers))('the layer %s imports only lower layers', (layer, allowed) => {
    const violations = sources
      .filter(({ path }) => path.startsWith(`${layer}/`))
      .flatMap(({ path, imports }) =>
        imports
          .filter(({ target }) => target.startsWith('src/client/') && !allowed.test(target))
          .map(({ target }) => `${path} imports ${target}`),
      )
    expect(violations).toEqual([])
  })

  test('features are composed by the app, which only main.tsx and prerender.tsx import', () => {
    const importers = sources
      .filter(({ path }) => !path.startsWith('src/client/app/'))
      .filter(({ imports }) => imports.some(({ target }) => target.startsWith('src/client/app/')))
    expect(importers.map(({ path }) => path).toSorted()).toEqual(['src/client/main.tsx', 'src/client/prerender.tsx'])
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
  test.each(forbidden)('the domain never uses %s', (pattern) => {
    const matching = readSourceFiles('src/domain').filter(({ text }) => pattern.test(text))
    expect(matching.map(({ path }) => path)).toEqual([])
  })
})
