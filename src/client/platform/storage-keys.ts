/* Storage keys besides the database; clearing the device deletes them too. */

/** The browser was asked for persistent storage. */
export const persistenceRequestedKey = 'asked-to-keep'

/** The install offer was dismissed. */
export const installDismissedKey = 'install-dismissed'
