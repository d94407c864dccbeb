import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { getHealth } from '#contract/system/health.ts'
import { minFreeBytes } from '../database/disk-full.ts'
import { createStatisticsCheck } from '../database/stale-statistics.ts'
import type { Deps } from '../deps.ts'
import { mount } from '../http/mount.ts'
import { problem } from '../http/problem.ts'

type HealthSources = { build: string; inMaintenance: () => Promise<string | undefined> }

/**
 * Mounts the health check of a server, which is ready once it listens. A server without its database or with a full
 * disk is unhealthy, so that its monitor restarts it. `build` identifies the client that it serves.
 */
export const mountHealth = (app: FastifyInstance, deps: Deps, { build, inMaintenance }: HealthSources): void => {
  const checkStatistics = createStatisticsCheck(deps)
  mount(app, deps, getHealth, async () => {
    if ((await deps.freeBytes()) < minFreeBytes) return problem('unexpected', 'The disk is full: nothing can be saved')
    await sql`select 1`.execute(deps.db)
    const warning = await checkStatistics()
    const maintenance = await inMaintenance()
    return {
      status: 'ok' as const,
      build,
      ...(maintenance !== undefined && { maintenance }),
      ...(warning !== undefined && { warnings: [warning] }),
    }
  })
}
