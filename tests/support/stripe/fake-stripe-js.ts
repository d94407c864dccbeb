import type { BrowserContext, Route } from 'playwright/test'
import type { startFakeStripe } from './fake-stripe.ts'

type FakeStripe = Awaited<ReturnType<typeof startFakeStripe>>

/**
 * Replaces Stripe's script in the page: the card field and the bank's confirmation, without Stripe's frame. Throws for the calls that
 * Stripe would reject. Runs in the page, so it must be one function.
 */
const fakeStripeScript = () => {
  type Elements = { number: () => string; complain: (words: string) => void }
  type Details = Record<string, unknown> & { address?: Record<string, unknown> }
  type Options = { mode?: string; amount?: number; currency?: string; paymentMethodTypes?: string[] }
  const make = (name: string, text = '') => Object.assign(document.createElement(name), { textContent: text })

  const elementsOf = (options: Options) => {
    const isGood = ({ amount }: Options) => amount === undefined || (Number.isInteger(amount) && amount >= 50)
    if (options.mode !== 'payment' || options.currency !== 'usd' || !isGood(options)) throw new Error('bad options')
    const field = make('label', 'Card number (Stripe)')
    const input = field.appendChild(document.createElement('input'))
    const words = field.appendChild(make('p'))
    const handlers = new Map<string, () => void>()
    return {
      create: (type: string) => {
        if (type !== 'payment') throw new Error('only the payment element stands here')
        return {
          on: (name: string, handle: () => void) => handlers.set(name, handle),
          mount: (place: HTMLElement) => {
            place.append(field)
            queueMicrotask(() => handlers.get('ready')?.())
          },
          focus: () => input.focus(),
          destroy: () => field.remove(),
        }
      },
      update: (changed: Options) => {
        if (!isGood(changed)) throw new Error('an amount is in whole cents, from 50 on')
      },
      submit: async () => {
        if (input.value !== '') return {}
        const message = 'Your card number is incomplete.'
        words.textContent = message
        return { error: { type: 'validation_error', message } }
      },
      number: () => input.value,
      complain: (message: string) => {
        words.textContent = message
      },
    }
  }

  const isWhole = ({ name, email, phone, address = {} }: Details) =>
    [
      name,
      email,
      phone,
      ...['line1', 'line2', 'city', 'state', 'country', 'postal_code'].map((part) => address[part]),
    ].every((part) => typeof part === 'string')

  const stripe = (key: string, { stripeAccount }: { stripeAccount: string }) => {
    const call = async (path: string, form: Record<string, string>) => {
      const headers = { authorization: `Bearer ${key}`, 'stripe-account': stripeAccount }
      const said = await fetch(`https://api.stripe.com/v1/${path}`, {
        ...{ method: 'POST', headers },
        body: new URLSearchParams(form),
      })
      return await said.json()
    }
    const told = (clientSecret: string) => call('bank', { clientSecret })
    return {
      elements: elementsOf,
      createConfirmationToken: async ({
        elements,
        params,
      }: {
        elements: Elements
        params: { payment_method_data: { billing_details: Details } }
      }) => {
        // The page disables collecting them, so it must pass all of them.
        if (!isWhole(params.payment_method_data.billing_details)) throw new Error('billing details are missing')
        const token = await call('confirmation_tokens', { number: elements.number() })
        if (token.error) elements.complain(token.error.message)
        return token.error ? { error: token.error } : { confirmationToken: token }
      },
      retrievePaymentIntent: async (clientSecret: string) => ({ paymentIntent: await told(clientSecret) }),
      handleNextAction: async ({ clientSecret }: { clientSecret: string }) => {
        if ((await told(clientSecret)).status !== 'requires_action') throw new Error('there is nothing to ask')
        return await new Promise((resolve) => {
          const question = document.body.appendChild(make('dialog', 'Your bank: is this payment yours?'))
          const choose = (words: string, answer: string) => {
            const button = question.appendChild(make('button', words))
            button.addEventListener('click', async () => {
              const intent = await call('bank', { clientSecret, answer })
              question.remove()
              resolve(intent.last_payment_error ? { error: intent.last_payment_error } : { paymentIntent: intent })
            })
          }
          choose('Complete', 'confirmed')
          choose('Fail', 'cancelled')
          ;(question as HTMLDialogElement).showModal()
        })
      },
    }
  }
  Object.assign(window, { Stripe: Object.assign(stripe, { version: 'stand-in' }) })
}

const corsHeaders = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' }

const fulfillStripeRoute = async (route: Route, { settings, accounts }: FakeStripe): Promise<void> => {
  const request = route.request()
  if (request.method() === 'OPTIONS') return await route.fulfill({ status: 204, headers: corsHeaders })
  const { pathname } = new URL(request.url())
  const headers = request.headers()
  if (pathname === '/v1/bank') {
    const form = new URLSearchParams(request.postData() ?? '')
    const account = accounts.get(headers['stripe-account'] ?? '')
    const intent = account?.intents.find(({ secret }) => secret === form.get('clientSecret'))
    if (!account || !intent) return await route.fulfill({ status: 404, headers: corsHeaders })
    const said = form.get('answer')
    const told =
      said === null ? account.show(intent) : account.bank(intent.id, said === 'confirmed' ? said : 'cancelled')
    return await route.fulfill({ json: told, headers: corsHeaders })
  }
  const passed = ['authorization', 'stripe-account', 'content-type'].flatMap((name) => {
    const value = headers[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  const said = await fetch(`${settings.apiUrl}${pathname}`, {
    ...{ method: 'POST', headers: Object.fromEntries(passed), body: request.postData() ?? '' },
  })
  await route.fulfill({ status: said.status, json: await said.json(), headers: corsHeaders })
}

/** Installs the script in a browser; `scripts` says whether the script can be loaded at the moment. */
export const installFakeStripeJs = async (
  context: BrowserContext,
  peer: FakeStripe,
  scripts = () => true,
): Promise<void> => {
  const body = `(${fakeStripeScript.toString()})()`
  await context.route('https://js.stripe.com/**', (route) =>
    scripts() ? route.fulfill({ contentType: 'text/javascript', body }) : route.abort(),
  )
  await context.route('https://api.stripe.com/**', (route) => fulfillStripeRoute(route, peer))
}
