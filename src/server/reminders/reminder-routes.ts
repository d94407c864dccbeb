import type { FastifyInstance } from 'fastify'
import { deleteReminder, getReminder, putReminder } from '#contract/customer/reminder-calls.ts'
import { unsubscribe } from '#contract/customer/unsubscribe.ts'
import { getReminderResults } from '#contract/studio/studio.ts'
import type { Deps } from '../deps.ts'
import { clientAddressOf } from '../http/client-address.ts'
import { mount, sendAnswer } from '../http/mount.ts'
import { answerOf, Problem, problem } from '../http/problem.ts'
import { findOwnCart, readCartReminder, saveCartReminder, stopCartReminder } from './cart-reminder.ts'
import { readReminderResults } from './reminder-results.ts'
import { unsubscribeAddress } from './unsubscribe.ts'

/**
 * Mounts the address in the `List-Unsubscribe` header, which a mail program posts a form to (RFC 8058). A browser that opens
 * it gets the screen that does the same.
 */
const mountOneClickUnsubscribe = (app: FastifyInstance, deps: Deps): void => {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    // The address says everything; the form only says that a program sent it.
    scope.addContentTypeParser('*', { bodyLimit: 10_000, parseAs: 'buffer' }, (_request, _body, done) => done(null))
    scope.post<{ Params: { token: string } }>('/:slug/unsubscribe/:token', async ({ params }, reply) => {
      const outcome = await unsubscribeAddress(deps, params.token)
      if (outcome instanceof Problem) return sendAnswer(reply, answerOf(outcome))
      return reply.code(200).header('cache-control', 'no-store').send()
    })
  })
}

/** Mounts the reminders of a customer's cart, the unsubscribe link, and what a studio's reminders earned. */
export const mountReminders = (app: FastifyInstance, deps: Deps): void => {
  mount(app, deps, getReminder, async ({ job, access, query: { cartId } }) => {
    const cart = findOwnCart(job, access, cartId)
    return cart ? await readCartReminder(deps, cart) : problem('not-found')
  })
  mount(app, deps, putReminder, async ({ job, access, body: { cartId, email, kinds }, request }) => {
    const cart = findOwnCart(job, access, cartId)
    return cart
      ? await saveCartReminder(deps, { cart, email, kinds, address: clientAddressOf(request) })
      : problem('not-found')
  })
  mount(app, deps, deleteReminder, async ({ job, access, query: { cartId } }) => {
    const cart = findOwnCart(job, access, cartId)
    return cart ? await stopCartReminder(deps, cart) : problem('not-found')
  })
  mount(app, deps, unsubscribe, ({ body }) => unsubscribeAddress(deps, body.token))
  mountOneClickUnsubscribe(app, deps)
  mount(app, deps, getReminderResults, ({ params: { studioId }, user }) =>
    readReminderResults(deps, { studioId, user }),
  )
}
