import type { FastifyInstance } from 'fastify'
import * as calls from '#contract/system/configuration.ts'
import { getMaintenanceNotice } from '#contract/system/maintenance-notice.ts'
import { maintenanceState } from '#domain/configuration/maintenance.ts'
import { readMaintenancePlan } from '#server/configuration/maintenance-plan.ts'
import type { Deps } from '#server/deps.ts'
import { mount } from '#server/http/mount.ts'
import { changeMaintenance, changeSetting } from './change-configuration.ts'
import { readConfiguration } from './read-configuration.ts'
import { sendTestMail } from './send-test-mail.ts'

const readNotice = async ({ db, clock }: Deps) => {
  const plan = await readMaintenancePlan(db)
  const { message, from, until } = plan
  const isAnnounced = maintenanceState(plan, clock()) === 'announced' && from !== null && until !== null
  return { announced: isAnnounced ? { message, from, until } : null }
}

/** Mounts the calls for the settings of the platform, for its maintenance, and for a test of its emails. */
export const mountConfiguration = (app: FastifyInstance, deps: Deps): void => {
  mount(app, deps, calls.getConfiguration, () => readConfiguration(deps))
  mount(
    app,
    deps,
    calls.putSetting,
    async ({ params, body, user }) =>
      (await changeSetting(deps, { ...params, ...body, user })) ?? (await readConfiguration(deps)),
  )
  mount(
    app,
    deps,
    calls.putMaintenance,
    async ({ body, user }) => (await changeMaintenance(deps, { ...body, user })) ?? (await readConfiguration(deps)),
  )
  mount(app, deps, calls.sendTestMail, ({ user }) => sendTestMail(deps, user))
  mount(app, deps, getMaintenanceNotice, () => readNotice(deps))
}
