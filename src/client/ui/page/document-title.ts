export const productName = 'Fieldproof'

/**
 * The document title: the route's title followed by ' | ' and the product name, or the product name alone (section 2).
 */
export const documentTitle = (title: string | null): string => (title ? `${title} | ${productName}` : productName)
