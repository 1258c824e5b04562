export const LIMITS = { items: 100, text: 1000, indices: 50, reason: 1000, field: 2000, fields: 50 } as const;
