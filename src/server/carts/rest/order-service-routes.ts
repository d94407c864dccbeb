import type { FastifyInstance } from 'fastify'
import type { Infer } from 'superstruct'
import {
  deleteOrderService,
  postOrderService,
  postPersonalization,
  postPresonalization,
} from '#contract/customer/job-offers.ts'
import type { Cart } from '#domain/cart/cart.ts'
import type { Change } from '#domain/cart/mutation.ts'
import type { PersonalizationChoice } from '#domain/cart/order-service-types.ts'
import { cartServicesOf, personalizationChoiceOf } from '#domain/cart/order-services.ts'
import { orderMethods } from '#domain/catalogue/catalogue.ts'
import type { JobSession } from '#server/access/grants/grants.ts'
import type { Deps } from '#server/deps.ts'
import { mount } from '#server/http/mount.ts'
import { type Problem, problem } from '#server/http/problem.ts'
import { resolveCart } from '../store/default-order-method.ts'
import { type CartRef, readCart } from '../store/read-cart.ts'
import { applyMutations } from '../sync/apply-mutations.ts'
import { rejectionProblem, restCommand } from './rest-commands.ts'

type CartCallRequest = JobSession & Parameters<typeof restCommand>[1]

const applyChange = async (
  deps: Deps,
  callRequest: CartCallRequest,
  { cartRef, change }: { cartRef: CartRef; change: Change },
): Promise<Cart | Problem<'not-found' | 'refused' | 'key-reused'>> => {
  const command = restCommand(deps, callRequest, { kind: change.do, changes: () => [change] })
  const [result] = await applyMutations(deps, cartRef, [command])
  return rejectionProblem(result) ?? (await readCart(deps.db, cartRef, deps.clock())) ?? problem('not-found')
}

type OrderServiceInput = Infer<(typeof postOrderService)['body']>

const setService = async (
  deps: Deps,
  callRequest: CartCallRequest & { body: OrderServiceInput },
  personalization: PersonalizationChoice | null,
): Promise<Cart | Problem<'not-found' | 'refused' | 'key-reused'>> => {
  const { subjectId, orderServiceId, orderMethod, cartId, price, imageLookupId } = callRequest.body
  const cartRef = await resolveCart(deps, callRequest, orderMethod)
  if (cartId) {
    const cart = await readCart(deps.db, cartRef, deps.clock())
    if (cart?.id !== cartId) return problem('not-found')
  }
  const change: Change = {
    do: 'service.set',
    subjectId,
    personId: null,
    orderServiceId,
    imageLookupId: imageLookupId ?? null,
    personalization,
    price: price ?? null,
  }
  return await applyChange(deps, callRequest, { cartRef, change })
}

/** Finds the session's cart with this service, and the change that removes it. */
const findRemoval = async (
  deps: Deps,
  jobSession: JobSession,
  id: number,
): Promise<{ cartRef: CartRef; change: Change } | undefined> => {
  for (const orderMethod of orderMethods) {
    const cartRef = { session: jobSession.session, job: jobSession.job, orderMethod }
    const cart = await readCart(deps.db, cartRef, deps.clock())
    const entry = cart && cartServicesOf(cart).find((service) => service.id === id)
    if (!entry) continue
    const { subjectId, personId, orderServiceId, imageLookupId = null } = entry
    return { cartRef, change: { do: 'service.remove', subjectId, personId, orderServiceId, imageLookupId } }
  }
  return undefined
}

/** The calls for single order services; each is a mutation like those of a sync (section 7). */
export const mountCartServices = (app: FastifyInstance, deps: Deps): void => {
  mount(app, deps, postOrderService, (callRequest) => setService(deps, callRequest, null))
  for (const call of [postPersonalization, postPresonalization])
    mount(app, deps, call, (callRequest) => setService(deps, callRequest, personalizationChoiceOf(callRequest.body)))
  mount(app, deps, deleteOrderService, async (callRequest) => {
    const removal = await findRemoval(deps, callRequest, callRequest.params.id)
    return removal ? await applyChange(deps, callRequest, removal) : problem('not-found')
  })
}
