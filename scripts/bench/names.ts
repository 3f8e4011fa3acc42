/** Given names, the most frequent first. */
export const GIVEN_NAMES =
  `Maria James Anna John Mary Robert Jennifer Michael Linda David Elizabeth William Sofia Mohamed Fatima José Ana Carlos
Laura Daniel Sarah Thomas Julia Alexander Karen Joseph Emma Charles Olivia Christopher Ava Matthew Isabella Anthony Mia
Mark Charlotte Luis Amelia Steven Chloé Paul Camila Andrew Lucía Joshua Elena Kenneth Victoria Kevin Hannah Brian Zoë
George Nora Timothy Lea Ronald Leonie Edward Marie Jason François Ryan Søren Jacob Łukasz Gary Björn Nicholas Jürgen Eric
Jonathan Agnieszka Stephen Katarzyna Larry Piotr Justin Małgorzata Scott Wei Brandon Li Benjamin Yuki Samuel Haruto
Gregory Aiko Frank Priya Patrick Arjun Raymond Ananya Jack Rohan Dennis Ibrahim Jerry Aisha Tyler Omar Aaron Layla Henry
Yusuf Adam Zeynep Douglas Emre Nathan Ayşe Peter Mehmet Zachary Ngọc Kyle Minh Walter Thảo Harold Chinedu Jeremy Amara
Ethan Kwame Carl Abena Keith Thandiwe Roger Sipho Gerald Siobhán Christian Niamh Terry Cillian Sean Aoife Arthur Ingrid
Austin Astrid Noah Måns Lawrence Freja Jesse Eero Joe Aino Bryan Ágnes Billy Zoltán Jordan Špela Albert Željko Dylan
Мария Bruce Иван Willie 美咲`.split(/\s+/);

/** Family names that many people have, the most frequent first. */
export const FAMILY_NAMES =
  `Smith García Johnson Williams Brown Jones Müller Rodríguez Davis Martínez Nguyễn Hernández López Wilson González
Anderson Thomas Taylor Moore Jackson Martin Lee Pérez Thompson White Harris Sánchez Clark Ramírez Lewis Robinson Walker
Young Allen King Wright Scott Torres Hill Flores Green Adams Nelson Baker Hall Rivera Campbell Mitchell Carter Roberts
Gómez Phillips Evans Turner Díaz Parker Cruz Edwards Collins Reyes Stewart Morris Morales Murphy Cook Rogers Gutiérrez
Ortiz Morgan Cooper Peterson Bailey Reed Kelly Howard Ramos Kim Cox Ward Richardson Watson Brooks Chávez Wood Bennett
Gray Mendoza Ruiz Hughes Price Álvarez Castillo Sanders Patel Myers Long Ross Foster Jiménez Schmidt Schneider Fischer
Weber Wagner Kowalski Nowak Yılmaz Øverby Ångström O'Brien O'Sullivan Núñez Dubois Lefèvre Rossi Esposito Silva Santos
Иванов 山田`.split(/\s+/);

/** Beginnings and ends of family names that few people have. */
export const RARE_BEGINNINGS =
  `Ash Bar Black Brad Bran Brook Buck Burn Chat Clay Crom Dal Darn Dun East El Fair Farn Fen Gar Glen Hag Hal Hart Hazel
Hol Ing Ken Kir Lang Lin Long Lud Mal Mar Mel Nether North Oak Old Over Pem Pen Pres Quar Rad Raven Red Ridge Ro Rud Sal
Sed Shel Stan Stock Straf Sut Thorn Till Tre Upper Ux Wal War West Whit Win Wood Wyn Yar`.split(/\s+/);

export const RARE_ENDS =
  `bank berg borough bourne bridge brook burn bury by cliffe combe cote court croft dale den down fell field ford gate
grave ham hampton head holm house hurst kirk land ley lock low man march mere mond moor more mouth ness over pool rick
ridge shaw shire stead stein stock stone ston thorpe ton tree wald ward water well wick wold wood worth wright yard`.split(
    /\s+/,
  );
