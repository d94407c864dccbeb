/**
 * Adds a Google Pay button to Stripe's replaced script (`fake-stripe-js.ts`): its sheet prices the owner's address before it can be approved.
 * Throws for what Stripe would reject. Runs in the page, so it must be one function.
 */
export const fakeStripeWalletScript = () => {
  type Sheet = {
    lineItems: { name: string; amount: number }[]
    shippingRates: { id: string; displayName: string; amount: number }[]
  }
  type Handlers = Map<string, (event: Record<string, unknown>) => void>
  type Elements = { create: (type: string, options: object) => unknown; update: (changes: { amount?: number }) => void }
  type StripeFunction = (key: string, options: object) => { elements: (options: { amount: number }) => Elements }
  const address = { city: 'Dayton', state: 'OH', postal_code: '45402', country: 'US' }
  const home = { line1: '1 Wallet Way', line2: null, ...address }
  const billing = { line1: '9 Bank Street', line2: 'Floor 2', ...address, city: 'Columbus', postal_code: '43085' }

  const checkSheet = ({ lineItems, shippingRates }: Sheet, amount: number) => {
    const sum = [...lineItems, ...shippingRates].reduce((total, line) => total + line.amount, 0)
    if (shippingRates.length === 0) throw new Error('a sheet that asks for an address needs a shipping rate')
    if (sum !== amount) throw new Error(`the lines add up to ${sum}, not ${amount}`)
  }
  const request = (handlers: Handlers, name: string, event: object): Promise<Sheet> =>
    new Promise((resolve, reject) => {
      handlers.get(name)?.({ ...event, resolve, reject: () => reject(new Error(`${name} was rejected`)) })
    })

  const createWallet = (handlers: Handlers, amountOf: () => number) => {
    const button = document.createElement('button')
    button.type = 'button'
    button.textContent = 'Google Pay (Stripe)'
    button.addEventListener('click', async () => {
      checkSheet(await request(handlers, 'click', { expressPaymentType: 'google_pay' }), amountOf())
      checkSheet(await request(handlers, 'shippingaddresschange', { name: 'Wanda Wallet', address }), amountOf())
      const dialog = document.body.appendChild(document.createElement('dialog'))
      const cancelButton = dialog.appendChild(document.createElement('button'))
      cancelButton.textContent = 'Close the wallet'
      cancelButton.addEventListener('click', () => {
        dialog.remove()
        handlers.get('cancel')?.({})
      })
      const approveButton = dialog.appendChild(document.createElement('button'))
      approveButton.textContent = `Approve $${(amountOf() / 100).toFixed(2)}`
      approveButton.addEventListener('click', () => {
        dialog.remove()
        handlers.get('confirm')?.({
          billingDetails: { name: 'Wanda Wallet', email: 'wanda@example.com', phone: '9375550199', address: billing },
          shippingAddress: { name: 'Wanda Wallet', address: home },
          paymentFailed: () => undefined,
        })
      })
      dialog.showModal()
    })
    return button
  }

  const { Stripe: original } = window as unknown as { Stripe: StripeFunction & { version: string } }
  const stripe: StripeFunction = (key, options) => {
    const made = original(key, options)
    const elements = (elementsOptions: { amount: number }) => {
      let { amount } = elementsOptions
      const handlers: Handlers = new Map()
      const inner = made.elements(elementsOptions)
      const { create: createInner, update: updateInner } = inner
      const create = (type: string, createOptions: object) => {
        if (type !== 'expressCheckout') return createInner(type, createOptions)
        const button = createWallet(handlers, () => amount)
        // The wallet's card.
        Object.assign(inner, { number: () => '4242 4242 4242 4242', submit: async () => ({}) })
        return {
          on: (name: string, handle: (event: object) => void) => handlers.set(name, handle),
          mount: (container: HTMLElement) => {
            container.append(button)
            queueMicrotask(() => handlers.get('ready')?.({ availablePaymentMethods: { googlePay: true } }))
          },
          destroy: () => button.remove(),
        }
      }
      const update = (changes: { amount?: number }) => {
        amount = changes.amount ?? amount
        updateInner(changes)
      }
      return Object.assign(inner, { create, update })
    }
    return { ...made, elements }
  }
  Object.assign(window, { Stripe: Object.assign(stripe, { version: original.version }) })
}
