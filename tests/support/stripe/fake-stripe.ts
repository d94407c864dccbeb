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

/** `confirmation_tokens` belongs to the browser: Stripe's own script creates them from a card number that the product never sees. */
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

/** A fake Stripe over real HTTP, which records charges, rejects invalid requests as Stripe does, and signs its events. */
export const startFakeStripe = async () => {
  const accounts = new Map<string, FakeStripeAccount>()
  const fees: Fee[] = []
  const events: StripeEvent[] = []
  const codes = new Map<string, string>()
  const recordedByKey = new Map<string, { content: string; response: StripeResponse | undefined }>()
  const behaviour = {
    /** Decides the fault of a request. */
    fault: (_request: { method: string; path: string }): StripeFault => 'none',
    /** The account that an owner connects on Stripe's own page; null if they decline. */
    connects: (): string | null => null,
    /** Delays a request before it is processed. */
    hold: async (_request: { method: string; path: string }): Promise<void> => {},
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
    const fee = fees.find((candidate) => candidate.id === id)
    if (!fee) throw resourceMissing('id', id)
    return fee
  }

  const route = ({ method, path, form, account }: StripeRequest): unknown => {
    const [, resource = '', id = '', action = ''] = /^\/v1\/(\w+)(?:\/(\w+)(?:\/(\w+))?)?$/.exec(path) ?? []
    const endpoint = `${method} ${resource}${id && '/:id'}${action && `/${action}`}`
    if (endpoint === 'GET application_fees/:id') return feeRefunds.show(feeOf(id))
    if (endpoint === 'POST application_fees/:id/refunds') return feeRefunds.make(feeOf(id), form)
    if (endpoint === 'GET application_fees/:id/refunds') return feeRefunds.list(feeOf(id), form)
    if (!account) throw missingParameter('Stripe-Account')
    const handlers: Record<string, () => unknown> = {
      'POST payment_intents': () => account.create(form),
      'GET payment_intents': () => account.list(form),
      'GET payment_intents/:id': () => account.show(account.intent(id), Object.values(form.expand ?? {}) as string[]),
      'POST payment_intents/:id/confirm': () => account.confirm(id, form),
      'POST payment_intents/:id/cancel': () => account.cancel(id, form),
      'POST refunds': () => account.refund(form),
      'GET refunds': () => account.listRefunds(form),
      'GET balance_transactions': () => account.balance.listTransactions(form),
      'GET payouts': () => account.balance.listPayouts(form),
      'POST payment_method_domains': () => {
        const domain = stringParameter(form, 'domain_name') ?? ''
        account.domains.add(domain)
        return { id: `pmd_${domain}`, object: 'payment_method_domain', domain_name: domain, enabled: true }
      },
    }
    const handler = handlers[endpoint]
    if (!handler)
      throw new StripeApiError(404, {
        type: 'invalid_request_error',
        message: `Unrecognized request URL (${endpoint})`,
      })
    return handler()
  }

  const process = (request: StripeRequest, key: string | undefined): StripeResponse => {
    try {
      return { status: 200, body: route(request) }
    } catch (error) {
      if (!(error instanceof StripeApiError)) throw error
      const { status, error: errorBody } = error
      return { status, body: { error: errorBody, ...(key && { idempotency_key: key }) } }
    }
  }

  /** A repeated key returns the result of its first request, success or error (docs.stripe.com/api/idempotent_requests). */
  const processOnce = async (request: StripeRequest, accountKey: string, key: string): Promise<StripeResponse> => {
    const content = JSON.stringify([request.method, request.path, request.form])
    const recorded = recordedByKey.get(accountKey)
    if (recorded && recorded.content !== content) throw idempotencyMismatch()
    if (recorded && !recorded.response) throw idempotencyKeyInUse()
    if (recorded?.response) return recorded.response
    const entry: { content: string; response: StripeResponse | undefined } = { content, response: undefined }
    recordedByKey.set(accountKey, entry)
    await behaviour.hold(request)
    entry.response = process(request, key)
    return entry.response
  }

  const respondTo = async (request: IncomingMessage): Promise<{ answer: StripeResponse; fault: StripeFault }> => {
    const url = new URL(request.url ?? '/', 'http://stripe')
    const method = request.method ?? 'GET'
    const text = Buffer.concat(await request.toArray()).toString()
    const form = parseStripeForm(method === 'GET' ? url.search : text)
    const fault = behaviour.fault({ method, path: url.pathname })
    if (fault === 'before') return { answer: { status: 0, body: null }, fault }
    if (fault === 'busy')
      return { answer: { status: 500, body: { error: { type: 'api_error', message: 'busy' } } }, fault }
    if (fault === 'refused') throw requestRejected('balance_insufficient', 'The balance is insufficient')
    const bearer = request.headers.authorization?.replace(/^Bearer /, '')
    const isToken = url.pathname === '/v1/confirmation_tokens'
    if (bearer !== (isToken ? publishableKey : secretKey)) throw invalidApiKey()
    if (url.pathname === '/oauth/token') return { answer: oauthTokenResponse(codes, form), fault }
    const accountId = request.headers['stripe-account']
    const account = typeof accountId === 'string' ? accounts.get(accountId) : undefined
    if (typeof accountId === 'string' && !account) throw accountInvalid(accountId)
    const stripeRequest = { method, path: url.pathname, form, account }
    if (isToken) return { answer: { status: 200, body: confirmationTokenOf(stripeRequest) }, fault }
    const key = request.headers['idempotency-key']
    if (method === 'POST' && typeof key === 'string') {
      if (key.length > 255) throw requestRejected(undefined, 'The idempotency key is too long')
      return { answer: await processOnce(stripeRequest, `${accountId ?? ''} ${key}`, key), fault }
    }
    await behaviour.hold(stripeRequest)
    return { answer: process(stripeRequest, undefined), fault }
  }

  /** Stripe's page on which an owner agrees or declines, and returns to the product. */
  const authorize = (query: URLSearchParams, response: ServerResponse): void => {
    const returnUrl = new URL(query.get('redirect_uri') ?? '')
    const account = behaviour.connects()
    const code = `ac_${randomBytes(8).toString('hex')}`
    if (account !== null) codes.set(code, account)
    returnUrl.search = new URLSearchParams({
      state: query.get('state') ?? '',
      ...(account === null ? { error: 'access_denied' } : { code }),
    }).toString()
    response.writeHead(302, { location: returnUrl.href }).end()
  }

  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://stripe')
    if (pathname === '/oauth/authorize') return authorize(searchParams, response)
    const { answer, fault } = await respondTo(request).catch((error: unknown) => {
      if (!(error instanceof StripeApiError)) throw error
      return { answer: { status: error.status, body: { error: error.error } }, fault: 'none' as const }
    })
    if (fault === 'before' || fault === 'after') return void request.socket.destroy()
    const headers = { 'content-type': 'application/json', 'request-id': `req_${randomBytes(6).toString('hex')}` }
    response.writeHead(answer.status, headers).end(JSON.stringify(answer.body))
  }

  const server = createServer((request, response) => {
    respond(request, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens on a port

  /** Posts an event to the product as Stripe does. */
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
  return { open, accounts, fees, events, codes, behaviour, deliver, settings, close }
}
