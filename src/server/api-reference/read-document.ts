import { Piscina } from 'piscina'
import { hashOf } from '../http/hash.ts'
import type { OpenApiDocument } from './openapi-document.ts'

/** The document, its JSON, and the value of its `ETag` header. */
export type ServedDocument = { readonly document: OpenApiDocument; readonly json: string; readonly etag: string }

/** Describes the contract in a thread of its own, because only there structs record how they were made. */
const describeContract = async (): Promise<ServedDocument> => {
  const pool = new Piscina({
    filename: new URL('./describe-contract-thread.ts', import.meta.url).href,
    name: 'describeContract' satisfies keyof typeof import('./describe-contract-thread.ts'),
    maxThreads: 1,
  })
  try {
    const json: string = await pool.run(undefined)
    return { document: JSON.parse(json), json, etag: `"${hashOf(json).slice(0, 32)}"` }
  } finally {
    await pool.destroy()
  }
}

/** Returns a function that reads the document. It is made at the first use, once; a failure is tried again at the next use. */
export const documentReader = (): (() => Promise<ServedDocument>) => {
  let served: Promise<ServedDocument> | undefined
  return () => {
    served ??= describeContract().catch((error: unknown) => {
      served = undefined
      throw error
    })
    return served
  }
}
