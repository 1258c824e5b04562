export async function main(_args: readonly string[]): Promise<void> {}
