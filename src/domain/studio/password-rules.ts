import type { Validator } from '../shared/validators.ts'

/** Length is what makes a password hard to guess; rules about signs only make it hard to remember. */
export const minPasswordLength = 10
const maxPasswordLength = 200

/** A password somebody chooses: long enough, and not the e-mail address of the same form. */
export const newPassword = <Model>(): Validator<Model> => {
  return (value, model) => {
    if (typeof value !== 'string' || [...value].length < minPasswordLength) {
      return `Please use at least ${minPasswordLength} characters`
    }
    if (value.length > maxPasswordLength) return `Please use at most ${maxPasswordLength} characters`
    const email = typeof model === 'object' && model !== null ? Reflect.get(model, 'email') : undefined
    const isEmail = typeof email === 'string' && email.trim().toLowerCase() === value.trim().toLowerCase()
    return isEmail ? 'Please choose something other than your email' : null
  }
}
