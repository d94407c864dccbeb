/*
 * What is noted of a visit beside its database; finishing takes it along.
 */

/** The browser was asked to keep what lies here. */
export const persistenceRequestedKey = 'asked-to-keep'

/** The offer of a place on the home screen was declined. */
export const installDismissedKey = 'install-dismissed'
