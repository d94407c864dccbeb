import type { FastifyInstance } from 'fastify'
import { checkHost, listHosts } from '#contract/studio/hosts.ts'
import {
  connectPaymentAccount,
  deleteLogo,
  getPaymentConnection,
  getStudio,
  listFeatures,
  patchStudio,
  putLogo,
  removePaymentAccount,
  requestVerification,
} from '#contract/studio/studio.ts'
import { validationMessages } from '#domain/shared/validators.ts'
import type { Deps } from '../deps.ts'
import { clientAddressOf } from '../http/client-address.ts'
import { mountFormCalls } from '../http/forms/mount-form-calls.ts'
import { mount } from '../http/mount.ts'
import { paginateList } from '../http/paging/paginate-list.ts'
import { problem } from '../http/problem.ts'
import * as logo from './change-logo.ts'
import { changeStudio } from './change-studio.ts'
import * as payments from './payment-connection.ts'
import { mountPaymentReturn } from './payment-return.ts'
import { readFeatures, readStudio } from './read-studio.ts'
import * as hosts from './studio-hosts.ts'
import * as verification from './verify-studio.ts'

const mountLogo = async (app: FastifyInstance, deps: Deps): Promise<void> => {
  await mountFormCalls({ app, deps, limits: { files: 1, fileBytes: logo.maxLogoBytes } }, (mountForm) =>
    mountForm(putLogo, async ({ params: { studioId }, user, form }) => {
      const file = form.files.find(({ field }) => field === 'File')
      if (!file) return problem('bad-request', undefined, { fields: { File: [validationMessages.required] } })
      return await logo.saveLogo(deps, { studioId, user }, file)
    }),
  )
  mount(app, deps, deleteLogo, ({ params: { studioId }, user }) => logo.removeLogo(deps, { studioId, user }))
}

/** Mounts the routes of a studio's settings and its payment account. */
export const mountStudio = async (app: FastifyInstance, deps: Deps): Promise<void> => {
  mount(app, deps, getStudio, ({ params }) => readStudio(deps, params))
  mount(app, deps, patchStudio, ({ params: { studioId }, user, body }) => changeStudio(deps, { studioId, user }, body))
  await mountLogo(app, deps)
  mount(
    app,
    deps,
    requestVerification,
    ({ params: { studioId }, user, body: { accountNumber, password }, request }) =>
      verification.requestVerification(deps, {
        ...{ studioId, user, accountNumber: accountNumber.trim(), password },
        address: clientAddressOf(request),
      }),
    { repetition: 'unrecorded' },
  )
  mount(app, deps, listFeatures, async ({ params: { studioId }, query }) =>
    paginateList(await readFeatures(deps.db, studioId), query, ({ identifier, name }) => [identifier, name]),
  )
  mount(app, deps, listHosts, async ({ params: { studioId }, query }) =>
    paginateList(await hosts.readStudioHosts(deps.db, studioId), query, ({ hostName, unicode }) => [
      hostName,
      unicode ?? '',
    ]),
  )
  mount(app, deps, checkHost, ({ params: { studioId }, user, body: { hostName } }) =>
    hosts.checkHostNow(deps, { studioId, user }, hostName),
  )
  mount(app, deps, getPaymentConnection, ({ params }) => payments.readPaymentConnection(deps, params))
  mount(app, deps, connectPaymentAccount, ({ params: { studioId }, user, query }) =>
    payments.connectPaymentAccount(deps, { studioId, user }, query.code),
  )
  mount(app, deps, removePaymentAccount, ({ params: { studioId }, user }) =>
    payments.removePaymentAccount(deps, { studioId, user }),
  )
  mountPaymentReturn(app)
}
