import multipart from '@fastify/multipart'
import type { FastifyInstance } from 'fastify'
import type { AnyCall } from '#contract/shapes/call.ts'
import type { Deps } from '#server/deps.ts'
import { type FormHandler, mountWithForm } from '../mount.ts'
import type { FormLimits } from './multipart-form.ts'

/** Mounts a call whose handler gets the submitted form. */
type MountForm = <Call extends AnyCall>(call: Call, handle: FormHandler<Call>) => void

/**
 * Mounts calls that take files as a form: `await mountFormCalls({ app, deps, limits: { files: 1, fileBytes: 5e6 } },
 * (mount) => mount(…))`. Other routes accept only JSON. The body of a form call is `Nothing`. Files are on disk while
 * they are processed.
 */
export const mountFormCalls = async (
  { app, deps, limits }: { app: FastifyInstance; deps: Deps; limits: FormLimits },
  mountAll: (mount: MountForm) => void,
): Promise<void> => {
  await app.register(async (scope) => {
    const { files, fileBytes } = limits
    await scope.register(multipart, {
      limits: { files, fileSize: fileBytes, fields: 4 * files + 20, fieldSize: 10_000 },
    })
    mountAll((call, handle) => mountWithForm({ app: scope, deps, limits }, call, handle))
  })
}
