export const productName = 'Fieldproof'

/** The document's title: the route's followed by ' | ' and the product's name, or the name alone (section 2). */
export const documentTitle = (title: string | null): string => (title ? `${title} | ${productName}` : productName)
