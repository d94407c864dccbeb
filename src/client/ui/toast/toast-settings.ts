/** How toasts behave (section 9), as the container takes them. */
export const toastSettings = {
  autoClose: 5000,
  position: 'bottom-right',
  closeOnClick: true,
  pauseOnHover: true,
  pauseOnFocusLoss: true,
  hideProgressBar: true,
  limit: 20,
} as const

/** What a failed result says in a toast: its only error, or 'Oops:' and each error on a line of its own (section 8). */
export const toastText = (errors: readonly string[]): string =>
  errors.length > 1 ? ['Oops:', ...errors].join('\n') : (errors[0] ?? '')
