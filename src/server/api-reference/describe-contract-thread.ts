import { globSync, readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AnyCall } from '#contract/shapes/call.ts'
import { buildDocument, type DescribedCall } from './openapi-document.ts'

const contractFolder = fileURLToPath(new URL('../../contract', import.meta.url))
const recordingUrl = new URL('./recording-superstruct.ts', import.meta.url).href

// In this thread the contract gets superstruct's functions from the recording module. Other threads are not affected.
registerHooks({
  resolve: (specifier, context, nextResolve) =>
    specifier === 'superstruct' && context.parentURL !== recordingUrl
      ? nextResolve(recordingUrl, context)
      : nextResolve(specifier, context),
})

type Named = { readonly file: string; readonly name: string; readonly value: object; readonly comment: string }

const plainText = (comment: string): string => {
  const lines = comment.split('\n').map((line) => line.trim())
  return lines
    .map((line) => (line.startsWith('*') ? line.slice(1).trim() : line))
    .join(' ')
    .trim()
}

/** The comment above each export of a source file, by its name. */
const commentsIn = (source: string): Map<string, string> =>
  new Map(
    source.split('/**').flatMap((part): [string, string][] => {
      const [comment = '', code = ''] = part.split('*/', 2)
      const [, name] = /^\s*export const (\w+)/.exec(code) ?? []
      return name === undefined ? [] : [[name, plainText(comment)]]
    }),
  )

/** Everything that the files of the contract export, with its comment. */
const readContract = async (): Promise<Named[]> => {
  const files = globSync('{shapes,customer,studio,system}/**/*.ts', { cwd: contractFolder }).toSorted()
  const named: Named[] = []
  for (const file of files) {
    const comments = commentsIn(readFileSync(join(contractFolder, file), 'utf8'))
    const exports: object = await import(`#contract/${file}`)
    for (const [name, value] of Object.entries(exports))
      if (typeof value === 'object' && value !== null)
        named.push({ file, name, value, comment: comments.get(name) ?? '' })
  }
  return named
}

/** Structs of these types are referred to by name. Others are short. */
const componentTypes: readonly unknown[] = ['object', 'type', 'enums', 'union']

const capitalized = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1)

/** The name of a struct that another file has too: with its file’s name in front. */
const longName = ({ file, name }: Named): string => {
  const fileName = file.split('/').at(-1)?.replace('.ts', '') ?? ''
  return fileName.split('-').map(capitalized).join('') + name
}

/** The names of the structs that are described once. */
const nameStructs = (named: readonly Named[]): Map<object, string> => {
  const structs = named.filter(({ name, value }) => {
    const isStruct = 'validator' in value && 'type' in value && componentTypes.includes(value.type)
    return isStruct && name !== 'Nothing'
  })
  const byName = Map.groupBy(structs, ({ name }) => name)
  return new Map(
    structs.toReversed().map((struct) => {
      const isUnique = new Set(byName.get(struct.name)?.map(({ value }) => value)).size === 1
      return [struct.value, isUnique ? struct.name : longName(struct)]
    }),
  )
}

const describeCalls = async (named: readonly Named[]): Promise<DescribedCall[]> => {
  const { allCalls } = await import('#contract/calls.ts')
  const comments = new Map(named.map(({ value, comment }) => [value, comment]))
  const calls: [string, AnyCall][] = Object.entries(allCalls)
  return calls.map(([name, call]) => ({ name, call, comment: comments.get(call) ?? '' }))
}

/** Describes the contract as an OpenAPI document, as JSON. Called by name; see `read-document.ts`. */
export const describeContract = async (): Promise<string> => {
  const recording = await import('./recording-superstruct.ts')
  const named = await readContract()
  const { Instant, Day, Uuid } = await import('#contract/shapes/primitives.ts')
  recording.annotate(Instant, { format: 'date-time' })
  recording.annotate(Day, { format: 'date' })
  recording.annotate(Uuid, { format: 'uuid' })
  const names = nameStructs(named)
  recording.nameComponents(names)
  const calls = await describeCalls(named)
  const document = buildDocument(calls, {
    schemaOf: recording.jsonSchemaOf,
    components: () => {
      const described = new Map<string, object>()
      // A component can refer to further ones, which are then added to the set.
      for (const struct of recording.usedComponents())
        described.set(names.get(struct) ?? '', recording.inlineSchemaOf(struct))
      return Object.fromEntries([...described].toSorted(([a], [b]) => a.localeCompare(b)))
    },
  })
  return JSON.stringify(document)
}
