import { setTimeout as wait } from 'node:timers/promises'
import type { Element, WebDriver } from '../../support/webdriver.ts'
import { type Driver, isMeant, type Role, type Wording } from './driver.ts'

const timeout = 30_000
const interval = 100
const idle = ':disabled, [aria-disabled=true]'

/** Where things of a role are to be found; their names are then asked of the browser. */
const candidates: Record<Role, string> = {
  button: 'button, [role=button]',
  link: 'a[href]',
  radio: 'input[type=radio]',
  checkbox: 'input[type=checkbox]',
  textbox: 'input:not([type=radio]):not([type=checkbox]), textarea',
  combobox: 'select',
}

/** WebDriver tells of nothing by itself: we ask until it is so, and give the browser's last complaint when it never is. */
const until = async <Found>(what: string, look: () => Promise<Found | undefined>): Promise<Found> => {
  const end = performance.now() + timeout
  let complaint: unknown
  while (performance.now() < end) {
    // A page that changes under our hands makes single questions fail; the next look finds it settled.
    const found = await look().catch((error: unknown) => {
      complaint = error
      return undefined
    })
    if (found !== undefined) return found
    await wait(interval)
  }
  throw new Error(`${what} within ${timeout / 1000} s`, { cause: complaint })
}

/** A parent at a browser that speaks plain WebDriver. */
export const webdriverDriver = (browser: WebDriver): Driver => {
  const find = async (role: Role, name: Wording): Promise<Element | undefined> => {
    for (const element of await browser.find(candidates[role])) {
      if (isMeant(name, await browser.name(element))) return element
    }
    return undefined
  }
  const reach = async (role: Role, name: Wording): Promise<Element | undefined> => {
    const element = await find(role, name)
    if (!element) return undefined
    await browser.run('arguments[0].scrollIntoView({ block: "center" })', element)
    // What says that it does nothing yet is waited for, as a parent would.
    return (await browser.run<boolean>(`return arguments[0].matches('${idle}')`, element)) ? undefined : element
  }
  const read = () => browser.run<string>('return document.body ? document.body.innerText : ""')
  return {
    goTo: browser.open,
    click: async (role, name) => {
      await until(`no ${role} “${name}” could be clicked`, async () => {
        const element = await reach(role, name)
        if (element) await browser.click(element)
        return element
      })
    },
    type: async (label, text) => {
      await until(`nothing could be typed into “${label}”`, async () => {
        const element = await reach('textbox', label)
        if (!element) return undefined
        await browser.run('arguments[0].focus(); arguments[0].select()', element)
        await browser.type(element, text)
        return element
      })
    },
    choose: async (label, wanted) => {
      await until(`“${wanted}” could not be chosen from “${label}”`, async () => {
        const list = await reach('combobox', label)
        if (!list) return undefined
        const body = 'return [...arguments[0].options].find((option) => option.label === arguments[1])'
        const option = await browser.run<Element | null>(body, list, wanted)
        if (option) await browser.click(option)
        return option ?? undefined
      })
    },
    waitFor: async (text) => {
      await until(`“${text}” could not be read`, async () => {
        const seen = (await read()).replace(/\s+/g, ' ')
        const isThere = typeof text === 'string' ? seen.includes(text) : text.test(seen)
        return isThere || undefined
      }).catch(async (error: Error) => {
        throw new Error(`${error.message}; there is: ${await read()}`, { cause: error })
      })
    },
    read,
    address: () => browser.run('return location.href'),
    close: browser.close,
  }
}
