import type { Validator } from '../shared/validators.ts'

/** Length makes a password hard to guess; rules about special characters only make it hard to remember. */
export const minPasswordLength = 10
const maxPasswordLength = 200

/** Validates a new password: long enough, and different from the e-mail address in the same form. */
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

/** The preferences of a user who set none (section 9). */
export const defaultUserPreferences = {
  buildMaximumCropperSize: 200,
  buildImagesPerRow: 6,
  useDarkMode: false,
} as const

/** The range of each preference: the crop editor's size in pixels, up to a tablet's screen; and the images in a row. */
export const userPreferenceBounds = {
  buildMaximumCropperSize: { min: 100, max: 1200 },
  buildImagesPerRow: { min: 1, max: 12 },
} as const
