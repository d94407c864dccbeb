/** Message for a studio that does not load, or takes no orders here (sections 5 and 8). */
export const studioNotLoaded = 'There was an error loading the studio'
