import { checkSync } from 'recheck'
import { parseSync } from 'vite'
import { describe, expect, test } from 'vitest'
import { readSourceFiles, type SourceFile } from './source-files.ts'

type Pattern = { path: string; source: string; flags: string }

/** Patterns with super-linear time, and why their input cannot be long. */
const exceptions: Readonly<Record<string, string>> = {
  'src/server/env.ts /\\/+$/': 'PUBLIC_URL, set by the administrator of the server',
  'src/server/build/build-client.ts /(^|[;}\\n])\\s*(import|export)[\\s{*]/':
    'the worker that the build has just written',
  'src/server/http/pages/built-client.ts /<script>([\\s\\S]*?)<\\/script>/g': 'our own built page',
  'src/server/http/pages/built-client.ts /<style>([\\s\\S]*?)<\\/style>/g': 'our own built page',
  'src/server/build/paint-first.ts /<link rel="stylesheet"[^>]* href="\\/(assets\\/[^"]+)">/g':
    'a page that the build has just written',
  'src/server/build/paint-first.ts /<link rel="modulepreload"[^>]*>/g': 'a page that the build has just written',
  'src/server/build/paint-first.ts /<script type="module"[^>]*><\\/script>/': 'a page that the build has just written',
  'src/server/images/lookups/cut-outs.ts /[^/]+$/': 'a key of the file store, which the server made',
  'src/domain/catalogue/nodes.ts /\\d+$/': 'the name of a node in a package, 60 characters at most by the contract',
  'src/domain/catalogue/downloads.ts /^[.\\s]+|[.\\s]+$/g': 'a file name, 255 characters at most since its upload',
  'src/client/customer/checkout/test-provider/test-card.ts /^\\s*(\\d{1,2})\\s*[/-]\\s*(?:20)?(\\d{0,2})\\s*$/':
    'typed by a customer into their own browser',
  'src/client/customer/transfer/hand-over-acceptance.ts /=+$/': 'base64 that this device has just made',
  'src/client/platform/path-in-text.ts /[)\\].,;!>"’”]+$/': '500 characters at most',
  'sw/cache-rules.ts /^\\/[^/?]+\\.[^/?]+(\\?.*)?$/': 'an address that the browser itself opens',
  'sw/cache-rules.ts /\\d+$/': 'the name of a cache, which the worker made',
  'src/domain/orders/paper-order.ts /^(.*?)\\s*[x×*]\\s*(\\d{1,2})\\s*$/i': 'typed by staff into their own browser',
}

const findPatterns = ({ path, text }: Pick<SourceFile, 'path' | 'text'>): Pattern[] => {
  const patterns: Pattern[] = []
  const walk = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    if (Array.isArray(node)) {
      node.forEach(walk)
      return
    }
    if ('regex' in node && node.regex) {
      const { pattern, flags } = node.regex as { pattern: string; flags: string } // a literal of ESTree
      patterns.push({ path, source: pattern, flags })
    }
    Object.values(node).forEach(walk)
  }
  walk(parseSync(path, text).program)
  return patterns
}

const getName = ({ path, source, flags }: Pattern): string => `${path} /${source}/${flags}`

/**
 * Checks end only by recheck's limits of characters and steps. With a timeout, results would depend on the machine's
 * load.
 */
const withoutTimeouts = { timeout: null, attackTimeout: null, incubationTimeout: null }

/** Patterns that are slow for some input, or that recheck cannot prove safe. */
const findSlowPatterns = (patterns: readonly Pattern[]): string[] =>
  patterns.filter(({ source, flags }) => checkSync(source, flags, withoutTimeouts).status !== 'safe').map(getName)

describe('regular expressions over external text', { timeout: 300_000 }, () => {
  const sources = readSourceFiles('src', 'sw')

  test('regular expressions run in linear time, except for those with a reason', () => {
    const patterns = [...new Map(sources.flatMap(findPatterns).map((pattern) => [getName(pattern), pattern])).values()]
    expect(patterns.length).toBeGreaterThan(100)
    expect(findSlowPatterns(patterns).toSorted()).toEqual(Object.keys(exceptions).toSorted())
  })

  test('regular expressions are literals, so that they can be checked', () => {
    const pathsWithDynamicPatterns = sources.filter(({ text }) => /\bRegExp\(/.test(text)).map(({ path }) => path)
    // These patterns are built from job ids, our own routes and calls, URL schemes and markers of our own pages, never from external text.
    expect(pathsWithDynamicPatterns.toSorted()).toEqual([
      'src/client/app/match-route.ts',
      'src/client/platform/api/preloaded-responses.ts',
      'src/server/env-variables.ts',
      'src/server/landing/fill-landing-page.ts',
      'sw/cache-rules.ts',
    ])
  })

  test('patterns that once blocked the server are found', () => {
    const blockingSources = [
      'const a = /\\d+$/',
      'const b = /^((grand|sub)\\s*-?)?\\s*totals?\\b/i',
      'const c = /(x+x+)+y/',
    ]
    expect(
      findSlowPatterns(blockingSources.flatMap((text) => findPatterns({ path: 'example.ts', text }))),
    ).toHaveLength(3)
  })
})
