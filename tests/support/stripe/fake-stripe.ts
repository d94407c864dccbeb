import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import Stripe from 'stripe'
import { FakeStripeAccount, type Fee, feeRefunds, stripeTestCards } from './fake-stripe-account.ts'
import {
  accountInvalid,
  idempotencyKeyInUse,
  idempotencyMismatch,
  invalidApiKey,
  missingParameter,
  requestRejected,
  resourceMissing,
  StripeApiError,
} from './stripe-error.ts'
import { parseStripeForm, type StripeForm, stringParameter } from './stripe-form.ts'

export const secretKey = 'sk_test_fieldproof'
export const publishableKey = 'pk_test_fieldproof'
export const webhookSecret = 'whsec_fieldproof'

/** The token response for an owner who connects an account; each code works once (docs.stripe.com/connect/oauth-reference). */
const oauthTokenResponse = (codes: Map<string, string>, form: StripeForm): StripeResponse => {
  const code = stringParameter(form, 'code') ?? ''
  const account = codes.get(code)
  codes.delete(code)
  if (stringParameter(form, 'grant_type') === 'authorization_code' && account !== undefined) {
    return {
      status: 200,
      body: { token_type: 'bearer', scope: 'read_write', livemode: false, stripe_user_id: account },
    }
  }
  const error_description = `Authorization code does not exist: ${code}`
  return { status: 400, body: { error: 'invalid_grant', error_description } }
}

type StripeRequest = {
  readonly method: string
  readonly path: string
  readonly form: StripeForm
  readonly account: FakeStripeAccount | undefined
}
type StripeResponse = { readonly status: number; readonly body: unknown }
/**
 * A fault of one request. `before` and `after`: the connection breaks before or after it is processed. `busy`: a Stripe server error.
 * `refused`: a permanent rejection.
 */
export type StripeFault = 'none' | 'before' | 'after' | 'busy' | 'refused'
export type StripeEvent = {
  readonly id: string
  readonly type: string
  readonly account: string
  readonly data: { object: unknown }
}

/** `confirmation_tokens` belongs to the browser: Stripe's own script creates them from a card that our code never sees. */
const confirmationTokenOf = ({ account, form }: StripeRequest): unknown => {
  const card = stripeTestCards[(stringParameter(form, 'number') ?? '').replace(/\D/g, '')]
  if (!card || !account) throw requestRejected('incorrect_number', 'Your card number is incorrect.')
  const number = stringParameter(form, 'number') ?? ''
  return {
    id: account.token(card),
    object: 'confirmation_token',
    payment_method_preview: { type: 'card', card: { last4: number.slice(-4), brand: 'visa' } },
  }
}

/** A fake Stripe over real HTTP: it has its own ledger, rejects what Stripe rejects, and signs its events. */
export const startFakeStripe = async () => {
  const accounts = new Map<string, FakeStripeAccount>()
  const fees: Fee[] = []
  const events: StripeEvent[] = []
  const codes = new Map<string, string>()
  const kept = new Map<string, { words: string; said: StripeResponse | undefined }>()
  const ways = {
    /** Decides the fault of a request. */
    fault: (_asked: { method: string; path: string }): StripeFault => 'none',
    /** The account that an owner connects on Stripe's own page; null when they go back without. */
    connects: (): string | null => null,
    /** Delays a request before it is processed. */
    hold: async (_asked: { method: string; path: string }): Promise<void> => {},
  }
  const signer = new Stripe(secretKey)

  const open = (id: string): FakeStripeAccount => {
    const account = new FakeStripeAccount(fees, (type, object) => {
      const data = { object: structuredClone(object) }
      events.push({ id: `evt_${randomBytes(8).toString('hex')}`, type, account: id, data })
    })
    accounts.set(id, account)
    return account
  }

  const feeOf = (id: string): Fee => {
    const fee = fees.find((one) => one.id === id)
    if (!fee) throw resourceMissing('id', id)
    return fee
  }

  const route = (asked: StripeRequest): unknown => {
    const { method, path, form, account } = asked
    const [, first = '', id = '', verb = ''] = /^\/v1\/(\w+)(?:\/(\w+)(?:\/(\w+))?)?$/.exec(path) ?? []
    const what = `${method} ${first}${id && '/:id'}${verb && `/${verb}`}`
    if (what === 'GET application_fees/:id') return feeRefunds.show(feeOf(id))
    if (what === 'POST application_fees/:id/refunds') return feeRefunds.make(feeOf(id), form)
    if (what === 'GET application_fees/:id/refunds') return feeRefunds.list(feeOf(id), form)
    if (!account) throw missingParameter('Stripe-Account')
    const verbs: Record<string, () => unknown> = {
      'POST payment_intents': () => account.create(form),
      'GET payment_intents': () => account.list(form),
      'GET payment_intents/:id': () => account.show(account.intent(id), Object.values(form.expand ?? {}) as string[]),
      'POST payment_intents/:id/confirm': () => account.confirm(id, form),
      'POST payment_intents/:id/cancel': () => account.cancel(id, form),
      'POST refunds': () => account.refund(form),
      'GET refunds': () => account.listRefunds(form),
    }
    const answer = verbs[what]
    if (!answer)
      throw new StripeApiError(404, { type: 'invalid_request_error', message: `Unrecognized request URL (${what})` })
    return answer()
  }

  const say = (asked: StripeRequest, key: string | undefined): StripeResponse => {
    try {
      return { status: 200, body: route(asked) }
    } catch (error) {
      if (!(error instanceof StripeApiError)) throw error
      const { status, error: words } = error
      return { status, body: { error: words, ...(key && { idempotency_key: key }) } }
    }
  }

  /** A repeated key returns the result of its first request, success or error (docs.stripe.com/api/idempotent_requests). */
  const once = async (asked: StripeRequest, name: string, key: string): Promise<StripeResponse> => {
    const words = JSON.stringify([asked.method, asked.path, asked.form])
    const before = kept.get(name)
    if (before && before.words !== words) throw idempotencyMismatch()
    if (before && !before.said) throw idempotencyKeyInUse()
    if (before?.said) return before.said
    const entry: { words: string; said: StripeResponse | undefined } = { words, said: undefined }
    kept.set(name, entry)
    await ways.hold(asked)
    entry.said = say(asked, key)
    return entry.said
  }

  const answer = async (request: IncomingMessage): Promise<{ said: StripeResponse; fault: StripeFault }> => {
    const url = new URL(request.url ?? '/', 'http://stripe')
    const method = request.method ?? 'GET'
    const text = Buffer.concat(await request.toArray()).toString()
    const form = parseStripeForm(method === 'GET' ? url.search : text)
    const fault = ways.fault({ method, path: url.pathname })
    if (fault === 'before') return { said: { status: 0, body: null }, fault }
    if (fault === 'busy')
      return { said: { status: 500, body: { error: { type: 'api_error', message: 'busy' } } }, fault }
    if (fault === 'refused') throw requestRejected('balance_insufficient', 'The balance is insufficient')
    const bearer = request.headers.authorization?.replace(/^Bearer /, '')
    const isToken = url.pathname === '/v1/confirmation_tokens'
    if (bearer !== (isToken ? publishableKey : secretKey)) throw invalidApiKey()
    if (url.pathname === '/oauth/token') return { said: oauthTokenResponse(codes, form), fault }
    const named = request.headers['stripe-account']
    const account = typeof named === 'string' ? accounts.get(named) : undefined
    if (typeof named === 'string' && !account) throw accountInvalid(named)
    const asked = { method, path: url.pathname, form, account }
    if (isToken) return { said: { status: 200, body: confirmationTokenOf(asked) }, fault }
    const key = request.headers['idempotency-key']
    if (method === 'POST' && typeof key === 'string') {
      if (key.length > 255) throw requestRejected(undefined, 'The idempotency key is too long')
      return { said: await once(asked, `${named ?? ''} ${key}`, key), fault }
    }
    await ways.hold(asked)
    return { said: say(asked, undefined), fault }
  }

  /** Stripe's page on which an owner agrees or declines, and returns to our site. */
  const authorize = (asked: URLSearchParams, response: ServerResponse): void => {
    const back = new URL(asked.get('redirect_uri') ?? '')
    const account = ways.connects()
    const code = `ac_${randomBytes(8).toString('hex')}`
    if (account !== null) codes.set(code, account)
    back.search = new URLSearchParams({
      state: asked.get('state') ?? '',
      ...(account === null ? { error: 'access_denied' } : { code }),
    }).toString()
    response.writeHead(302, { location: back.href }).end()
  }

  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://stripe')
    if (pathname === '/oauth/authorize') return authorize(searchParams, response)
    const { said, fault } = await answer(request).catch((error: unknown) => {
      if (!(error instanceof StripeApiError)) throw error
      return { said: { status: error.status, body: { error: error.error } }, fault: 'none' as const }
    })
    if (fault === 'before' || fault === 'after') return void request.socket.destroy()
    const headers = { 'content-type': 'application/json', 'request-id': `req_${randomBytes(6).toString('hex')}` }
    response.writeHead(said.status, headers).end(JSON.stringify(said.body))
  }

  const server = createServer((request, response) => {
    respond(request, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens on a port

  /** Posts an event to our server as Stripe does. */
  const deliver = async (event: StripeEvent, to: string, secret = webhookSecret): Promise<number> => {
    const payload = JSON.stringify({ object: 'event', ...event })
    const signature = signer.webhooks.generateTestHeaderString({ payload, secret })
    const headers = { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': signature }
    const { status } = await fetch(to, { method: 'POST', headers, body: payload })
    return status
  }

  const close = () => {
    server.closeAllConnections()
    return new Promise<void>((resolve) => server.close(() => resolve()))
  }
  const settings = { secretKey, publishableKey, webhookSecret, apiUrl: `http://127.0.0.1:${port}` }
  return { open, accounts, fees, events, codes, ways, deliver, settings, close }
}
