/** Moves the files of `moves.tsv` in the project named and rewrites every import that names one of them. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'

const project = process.argv[2] ?? '.'
const rows = readFileSync(new URL('moves.tsv', import.meta.url), 'utf8')
  .trim()
  .split('\n')
process.chdir(project)
const moves = new Map(rows.map((row) => row.split('\t')))
const tracked = () => execFileSync('git', ['ls-files'], { encoding: 'utf8', maxBuffer: 1e9 }).trim().split('\n')
const before = new Set(tracked())
for (const [a] of moves)
  if (!before.has(a)) {
    console.warn('missing', a)
    moves.delete(a)
  }
const targets = new Map()
for (const [a, b] of moves) {
  if (targets.has(b)) throw new Error(`two to ${b}: ${a} ${targets.get(b)}`)
  targets.set(b, a)
  if (before.has(b) && !moves.has(b)) throw new Error(`${b} exists`)
}
// aliases: longest first
const aliases = [
  ['src/domain/', '#domain/'],
  ['src/contract/', '#contract/'],
  ['src/local/', '#local/'],
  ['src/client/platform/', '#platform/'],
  ['src/client/ui/', '#ui/'],
  ['src/client/', '#client/'],
  ['src/server/', '#server/'],
  ['sw/', '#sw/'],
  ['tests/support/', '#support/'],
]
const newOf = (p) => moves.get(p) ?? p
const roomOf = (p) => aliases.find(([f]) => p.startsWith(f))
/** Specifier from a file (new place) to a target (new place). */
const specifier = (from, to, isUrl, original) => {
  let rel = relative(dirname(from), to)
  if (!rel.startsWith('.')) rel = './' + rel
  if (isUrl) return rel
  const climbs = (rel.match(/\.\.\//g) ?? []).length
  const [a, b] = [roomOf(from), roomOf(to)]
  if (!b) return rel
  if (climbs === 0) return rel
  if (a !== b || climbs >= 2) return b[1] + to.slice(b[0].length)
  return rel
}
// stage moves through temporary names so that chains and swaps work
let n = 0
const temp = []
for (const [a, b] of moves) {
  const t = `.moving/${n++}`
  mkdirSync('.moving', { recursive: true })
  execFileSync('git', ['mv', a, t])
  temp.push([t, b])
}
for (const [t, b] of temp) {
  mkdirSync(dirname(b), { recursive: true })
  execFileSync('git', ['mv', t, b])
}
const oldOf = new Map([...moves].map(([a, b]) => [b, a]))
const exact = [...moves].sort((x, y) => y[0].length - x[0].length)
let changed = 0,
  unresolved = []
for (const path of tracked()) {
  if (!/\.(tsx?|mjs|js|json|css|html|md|sh|yml)$/.test(path) && path !== '.ci/run') continue
  if (path === 'package-lock.json' || !existsSync(path)) continue
  const old = oldOf.get(path) ?? path
  const text = readFileSync(path, 'utf8')
  let out = text
  if (/\.(tsx?|mjs)$/.test(path)) {
    const resolve = (spec) =>
      spec.startsWith('#')
        ? (() => {
            const a = aliases.find(([, s]) => spec.startsWith(s))
            return a ? a[0] + spec.slice(a[1].length) : null
          })()
        : normalize(join(dirname(old), spec))
    const replace = (spec, isUrl) => {
      if (!spec.startsWith('.') && !spec.startsWith('#')) return spec
      const [, clean, query = ''] = /^([^?]*)(\?.*)?$/.exec(spec)
      const target = resolve(clean)
      if (!target) return spec
      if (!before.has(target)) {
        if (/\.(tsx?|css|json)$/.test(clean)) unresolved.push(`${path}: ${spec}`)
        if (isUrl && old !== path && clean.startsWith('.')) {
          // a folder or generated file: keep it pointing to the same place
          const r = relative(dirname(path), target) || '.'
          return (r.startsWith('.') ? r : './' + r) + (clean.endsWith('/') && !r.endsWith('/') ? '/' : '')
        }
        return spec
      }
      return specifier(path, newOf(target), isUrl) + query
    }
    out = out.replace(
      /(\bfrom\s*|\bimport\s*\(\s*(?:\/\*[^*]*\*\/\s*)?|\bimport\s+)(['"])([^'"\n]+)\2/g,
      (m, pre, q, spec) => `${pre}${q}${replace(spec, false)}${q}`,
    )
    out = out.replace(
      /(new URL\(\s*)(['"`])([^'"`\n$]+)\2(\s*,\s*import\.meta\.url)/g,
      (m, pre, q, spec, post) => `${pre}${q}${replace(spec, true)}${q}${post}`,
    )
  }
  if (/\.css$/.test(path))
    out = out.replace(/(@import\s+|url\(|from\s+)(['"])(\.[^'"]+)\2/g, (m, pre, q, spec) => {
      const t = normalize(join(dirname(old), spec))
      if (!before.has(t)) return m
      const r = relative(dirname(path), newOf(t))
      return `${pre}${q}${r.startsWith('.') ? r : './' + r}${q}`
    })
  // paths written out from the project's root
  if (/src\/|sw\/|tests\//.test(out))
    for (const [a, b] of exact)
      if (out.includes(a))
        out = out.replaceAll(new RegExp(`(?<![\\w./#-])${a.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\w-])`, 'g'), b)
  if (out !== text) {
    writeFileSync(path, out)
    changed += 1
  }
}
console.warn(`${moves.size} moved, ${changed} files rewritten`)
if (unresolved.length) console.warn('unresolved:\n' + unresolved.slice(0, 60).join('\n'))
