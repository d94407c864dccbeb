import type { FastifyInstance } from 'fastify'
import { getHealth } from '#contract/system/health.ts'
import type { Deps } from '../deps.ts'
import { sendAnswer } from './mount.ts'
import { answerOf, problem } from './problem.ts'

/** The row of `settings` that switches maintenance on: `{"on": true}`. */
const maintenanceKey = 'maintenance'

/** How long the setting is cached, to avoid a statement per call. */
const cacheMs = 2_000
const retryAfterSeconds = 30

/** Reads the setting. If the database does not respond, maintenance counts as off, and each call fails on its own. */
const readSetting = async ({ db, log }: Deps): Promise<boolean> => {
  try {
    const query = db.selectFrom('settings').select('value').where('key', '=', maintenanceKey)
    const row = await query.executeTakeFirst()
    return row !== undefined && 'on' in row.value && row.value.on === true
  } catch (error) {
    log.warn({ err: error }, 'the maintenance setting could not be read')
    return false
  }
}

/**
 * Answers every call except health with 503 while maintenance is on; the shell and its files are served as usual
 * (section 2). Returns a function that checks whether it is on, for the health check.
 */
export const enforceMaintenanceMode = (app: FastifyInstance, deps: Deps): (() => Promise<boolean>) => {
  let lastReadAt = Number.NEGATIVE_INFINITY
  let cachedSetting: Promise<boolean> = Promise.resolve(false)
  const isOn = (): Promise<boolean> => {
    if (deps.settings.maintenance) return Promise.resolve(true)
    const now = deps.clock().getTime()
    if (Math.abs(now - lastReadAt) >= cacheMs) {
      lastReadAt = now
      cachedSetting = readSetting(deps)
    }
    return cachedSetting
  }
  app.addHook('onRequest', async (request, reply) => {
    const path = request.url.split('?', 1)[0] ?? ''
    if (!path.startsWith('/api/') || path === getHealth.path) return
    if (!(await isOn())) return
    return sendAnswer(reply, answerOf(problem('maintenance', undefined, { retryAfterSeconds })))
  })
  return isOn
}
