import type { FastifyInstance } from 'fastify'
import type { Infer } from 'superstruct'
import {
  deleteOrderService,
  postOrderService,
  postPersonalization,
  postPresonalization,
} from '#contract/customer/job-offers.ts'
import type { Change } from '#domain/cart/mutation.ts'
import type { PersonalizationChoice } from '#domain/cart/order-service-types.ts'
import { cartServicesOf, personalizationChoiceOf } from '#domain/cart/order-services.ts'
import type { JobSession } from '#server/access/grants/grants.ts'
import type { JobAccess } from '#server/access/sessions/sessions.ts'
import { mount } from '#server/http/mount.ts'
import { type JsonText, type Problem, problem } from '#server/http/problem.ts'
import { parseCart } from '../cart-cache.ts'
import { type CartDeps, cartAnswer, changeCart, currentCart } from '../current-cart.ts'
import { resolveCart } from '../store/default-order-method.ts'
import type { CartRef } from '../store/read-cart.ts'
import { rejectionProblem, restCommand } from './rest-commands.ts'

type CartCallRequest = JobSession & { readonly access: JobAccess } & Parameters<typeof restCommand>[1]

const applyChange = async (
  cartDeps: CartDeps,
  callRequest: CartCallRequest,
  { cartRef, change }: { cartRef: CartRef; change: Change },
): Promise<JsonText | Problem<'not-found' | 'refused' | 'key-reused'>> => {
  const command = restCommand(cartDeps.deps, callRequest, { kind: change.do, changes: () => [change] })
  const { results, current } = await changeCart(cartDeps, {
    target: cartRef,
    access: callRequest.access,
    commands: [command],
  })
  return rejectionProblem(results[0]) ?? cartAnswer(current)
}

type OrderServiceInput = Infer<(typeof postOrderService)['body']>

const setService = async (
  cartDeps: CartDeps,
  callRequest: CartCallRequest & { body: OrderServiceInput },
  personalization: PersonalizationChoice | null,
): Promise<JsonText | Problem<'not-found' | 'refused' | 'key-reused'>> => {
  const { subjectId, orderServiceId, orderMethod, cartId, price, imageLookupId } = callRequest.body
  const { session, job, access } = callRequest
  const cartRef = await resolveCart(cartDeps.deps, { session, job }, orderMethod)
  const liveCart = access.carts.find((cart) => cart.orderMethod === cartRef.orderMethod)
  if (cartId && liveCart?.id !== cartId) return problem('not-found')
  const change: Change = {
    do: 'service.set',
    subjectId,
    personId: null,
    orderServiceId,
    imageLookupId: imageLookupId ?? null,
    personalization,
    price: price ?? null,
  }
  return await applyChange(cartDeps, callRequest, { cartRef, change })
}

/** Finds the session's cart with this service, and the change that removes it. */
const findRemoval = async (
  cartDeps: CartDeps,
  { session, job, access }: CartCallRequest,
  id: number,
): Promise<{ cartRef: CartRef; change: Change } | undefined> => {
  for (const { orderMethod } of access.carts) {
    const cartRef = { session, job, orderMethod }
    const cart = parseCart(await currentCart(cartDeps, cartRef, access))
    const entry = cartServicesOf(cart).find((service) => service.id === id)
    if (!entry) continue
    const { subjectId, personId, orderServiceId, imageLookupId = null } = entry
    return { cartRef, change: { do: 'service.remove', subjectId, personId, orderServiceId, imageLookupId } }
  }
  return undefined
}

/** The calls for single order services; each is a mutation like those of a sync (section 7). */
export const mountCartServices = (app: FastifyInstance, cartDeps: CartDeps): void => {
  const { deps } = cartDeps
  mount(app, deps, postOrderService, (callRequest) => setService(cartDeps, callRequest, null))
  for (const call of [postPersonalization, postPresonalization])
    mount(app, deps, call, (callRequest) =>
      setService(cartDeps, callRequest, personalizationChoiceOf(callRequest.body)),
    )
  mount(app, deps, deleteOrderService, async (callRequest) => {
    const removal = await findRemoval(cartDeps, callRequest, callRequest.params.id)
    return removal ? await applyChange(cartDeps, callRequest, removal) : problem('not-found')
  })
}
