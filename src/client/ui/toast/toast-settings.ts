/** Settings of toasts (section 9), for the library's container. */
export const toastSettings = {
  autoClose: 5000,
  position: 'bottom-right',
  closeOnClick: true,
  pauseOnHover: true,
  pauseOnFocusLoss: true,
  hideProgressBar: true,
  limit: 20,
} as const

/** The toast text of a failed result: its only error, or 'Oops:' and one error per line (section 8). */
export const toastText = (errors: readonly string[]): string =>
  errors.length > 1 ? ['Oops:', ...errors].join('\n') : (errors[0] ?? '')
