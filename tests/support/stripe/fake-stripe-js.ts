import type { BrowserContext, Route } from 'playwright/test'
import type { startFakeStripe } from './fake-stripe.ts'
import { fakeStripeWalletScript } from './fake-stripe-wallet.ts'

type FakeStripe = Awaited<ReturnType<typeof startFakeStripe>>

/**
 * Replaces Stripe's script in the page: the card field and the bank's confirmation, without Stripe's frame. Throws for the calls that
 * Stripe would reject. Runs in the page, so it must be one function.
 */
const fakeStripeScript = () => {
  type Elements = { number: () => string; showError: (message: string) => void }
  type Details = Record<string, unknown> & { address?: Record<string, unknown> }
  type Options = { mode?: string; amount?: number; currency?: string; paymentMethodTypes?: string[] }
  const createElement = (name: string, text = '') => Object.assign(document.createElement(name), { textContent: text })

  const createElements = (options: Options) => {
    const hasValidAmount = ({ amount }: Options) => amount === undefined || (Number.isInteger(amount) && amount >= 50)
    if (options.mode !== 'payment' || options.currency !== 'usd' || !hasValidAmount(options))
      throw new Error('bad options')
    const field = createElement('label', 'Card number (Stripe)')
    const input = field.appendChild(document.createElement('input'))
    const errorText = field.appendChild(createElement('p'))
    const handlers = new Map<string, () => void>()
    return {
      create: (type: string) => {
        if (type !== 'payment') throw new Error('only the payment element is supported')
        return {
          on: (name: string, handle: () => void) => handlers.set(name, handle),
          mount: (container: HTMLElement) => {
            container.append(field)
            queueMicrotask(() => handlers.get('ready')?.())
          },
          focus: () => input.focus(),
          destroy: () => field.remove(),
        }
      },
      update: (changes: Options) => {
        if (!hasValidAmount(changes)) throw new Error('an amount is in whole cents, at least 50')
      },
      submit: async () => {
        if (input.value !== '') return {}
        const message = 'Your card number is incomplete.'
        errorText.textContent = message
        return { error: { type: 'validation_error', message } }
      },
      number: () => input.value,
      showError: (message: string) => {
        errorText.textContent = message
      },
    }
  }

  const isComplete = ({ name, email, phone, address = {} }: Details) =>
    [
      name,
      email,
      phone,
      ...['line1', 'line2', 'city', 'state', 'country', 'postal_code'].map((part) => address[part]),
    ].every((part) => typeof part === 'string')

  const stripe = (key: string, { stripeAccount }: { stripeAccount: string }) => {
    const call = async (path: string, form: Record<string, string>) => {
      const headers = { authorization: `Bearer ${key}`, 'stripe-account': stripeAccount }
      const response = await fetch(`https://api.stripe.com/v1/${path}`, {
        ...{ method: 'POST', headers },
        body: new URLSearchParams(form),
      })
      return await response.json()
    }
    const fetchIntent = (clientSecret: string) => call('bank', { clientSecret })
    return {
      elements: createElements,
      createConfirmationToken: async ({
        elements,
        params,
      }: {
        elements: Elements
        /** Missing for a wallet, which has its owner's details. */
        params?: { payment_method_data: { billing_details: Details } }
      }) => {
        // The page asks Stripe not to collect billing details, so it must pass all of them.
        if (params && !isComplete(params.payment_method_data.billing_details))
          throw new Error('billing details are missing')
        const token = await call('confirmation_tokens', { number: elements.number() })
        if (token.error) elements.showError(token.error.message)
        return token.error ? { error: token.error } : { confirmationToken: token }
      },
      retrievePaymentIntent: async (clientSecret: string) => ({ paymentIntent: await fetchIntent(clientSecret) }),
      handleNextAction: async ({ clientSecret }: { clientSecret: string }) => {
        if ((await fetchIntent(clientSecret)).status !== 'requires_action')
          throw new Error('the payment needs no action')
        return await new Promise((resolve) => {
          const dialog = document.body.appendChild(createElement('dialog', 'Your bank: is this payment yours?'))
          const addButton = (label: string, answer: string) => {
            const button = dialog.appendChild(createElement('button', label))
            button.addEventListener('click', async () => {
              const intent = await call('bank', { clientSecret, answer })
              dialog.remove()
              resolve(intent.last_payment_error ? { error: intent.last_payment_error } : { paymentIntent: intent })
            })
          }
          addButton('Complete', 'confirmed')
          addButton('Fail', 'cancelled')
          ;(dialog as HTMLDialogElement).showModal()
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
    const answer = form.get('answer')
    const json =
      answer === null ? account.show(intent) : account.bank(intent.id, answer === 'confirmed' ? answer : 'cancelled')
    return await route.fulfill({ json, headers: corsHeaders })
  }
  const forwardedHeaders = ['authorization', 'stripe-account', 'content-type'].flatMap((name) => {
    const value = headers[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  const response = await fetch(`${settings.apiUrl}${pathname}`, {
    ...{ method: 'POST', headers: Object.fromEntries(forwardedHeaders), body: request.postData() ?? '' },
  })
  await route.fulfill({ status: response.status, json: await response.json(), headers: corsHeaders })
}

/** Installs the script in a browser. The script can be loaded while `isAvailable` returns true. */
export const installFakeStripeJs = async (
  context: BrowserContext,
  fakeStripe: FakeStripe,
  isAvailable = () => true,
): Promise<void> => {
  const body = `(${fakeStripeScript.toString()})();(${fakeStripeWalletScript.toString()})()`
  await context.route('https://js.stripe.com/**', (route) =>
    isAvailable() ? route.fulfill({ contentType: 'text/javascript', body }) : route.abort(),
  )
  await context.route('https://api.stripe.com/**', (route) => fulfillStripeRoute(route, fakeStripe))
}
